import { expect, test } from "bun:test";

// No change of an animal, an order or a category goes without an event: its statement is a `ChangeStatement`, which only `change`
// runs, and its insertion is one, too, or appends the event itself.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const TABLES = "(?:pet|category|store_order)\\b";
const CHANGE = new RegExp(`(?:INSERT INTO|UPDATE|DELETE FROM) ${TABLES}`, "g");
const CHANGING = /changing\(\s*"[a-z.]+",\s*statement\(\s*[`"]$/;
const INSERTION = new RegExp(`(?:(export )?const (\\w+)[^=;]*= )?insertion\\(\\s*"${TABLES}`, "g");

function forgotten(text: string): readonly string[] {
  const changes = [...text.matchAll(CHANGE)].filter(({ index }) => !CHANGING.test(text.slice(0, index)));
  const insertions = [...text.matchAll(INSERTION)].filter(
    ([, exported, name]) => exported !== undefined || name === undefined || !appends(text, name),
  );
  return [...changes, ...insertions].map(({ index }) =>
    text.slice(index, index + 60).replaceAll(/\s+/g, " "),
  );
}

/** Whether an insertion is used for nothing but an insertion that appends, a change, its type and its columns. */
function appends(text: string, name: string): boolean {
  const allowed = `const ${name}\\b|insertionWith\\(${name},|changing\\("[a-z.]+", ${name}\\)|typeof ${name}>|\\b${name}\\.list`;
  return !new RegExp(`\\b${name}\\b`).test(text.replaceAll(new RegExp(allowed, "g"), ""));
}

test("every statement that changes an animal, an order or a category makes an event", async () => {
  const found: string[] = [];
  let changes = 0;
  for (const path of new Bun.Glob("src/**/*.ts").scanSync({ cwd: PROJECT })) {
    if (path.endsWith(".test.ts")) continue;
    const text = await Bun.file(PROJECT + path).text();
    changes += [...text.matchAll(CHANGE), ...text.matchAll(INSERTION)].length;
    found.push(...forgotten(text).map((sql) => `${path}: ${sql}`));
  }
  expect(found).toEqual([]);
  expect(changes).toBeGreaterThan(8);
});

test("one that makes none would be found", () => {
  for (const text of [
    'statement("DELETE FROM pet WHERE id = $1", noRows)',
    "statement(`UPDATE store_order SET complete = 1 WHERE id = $1`, noRows)",
    'export const insertPet = insertion("pet", ["name TEXT"], decodePet);',
    'database.run(insertion("category", ["name TEXT"], decode), ["x"])',
    'const insertOrder = insertion("store_order", [], decode);\nctx.query(insertOrder, []);',
  ])
    expect(forgotten(text)).toHaveLength(1);
  for (const text of [
    'changing("pet.deleted", statement("DELETE FROM pet WHERE id = $1", noRows))',
    'const petInsertion = insertion("pet", [], decode);\nexport const insertPet = insertionWith(petInsertion, append);',
    'statement("DELETE FROM pet_photo WHERE id = $1", noRows)',
  ])
    expect(forgotten(text)).toEqual([]);
});
