import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { emptyDatabaseUrl } from "../postgres/database.ts";
import { petstore } from "./process.ts";
import { everyPet } from "./remote.ts";
import { send } from "./send.ts";
import { makeKey, startServer } from "./server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "./stores.ts";

// Tests that `petstore doctor --deep` finds damage inside a database.

async function checkContents(store: Store) {
  const { code, out, err } = await petstore(store, ["doctor", "--deep", "--slowly"]);
  expect(err).toBe("");
  return { code, lines: out.trim().split("\n").slice(1) };
}

const PETS = ["Fluffy", "Rex", "Whiskers"];

let filled: Store;
beforeAll(async () => {
  filled = await freshEmbeddedStore();
  const key = await makeKey(filled);
  const server = await startServer({ store: filled });
  for (const name of PETS) {
    const body = JSON.stringify({ name, categoryId: 7, status: "available" });
    expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
  }
  await server.stop();
});

/** Creates a store with animals and copies its files. Returns the copy. */
async function usedStore(): Promise<Store> {
  const store = await freshEmbeddedStore();
  cpSync(filled.dataDir, store.dataDir, { recursive: true });
  return store;
}

/** Replaces the first occurrence of a text in the file of the production database with another text of the same length. */
function overwrite({ dataDir }: Store, text: string, bytes: string): void {
  const file = join(dataDir, "production.sqlite");
  const content = readFileSync(file);
  const offset = content.indexOf(text, 0, "latin1");
  expect(offset).toBeGreaterThan(0);
  content.write(bytes, offset, "latin1");
  writeFileSync(file, content);
}

/** Adds 2,000 animals, so that the index needs more than one page. */
function addPets({ dataDir }: Store): void {
  const production = new Database(join(dataDir, "production.sqlite"));
  production.run(`INSERT INTO pet (name, category_id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT 'x', i % 50 FROM n`);
  production.close();
}

const INDEX_LEAF = 0x0a;

/** Changes one bit in every entry of a leaf page. The page belongs to an index of the table of animals. */
function damageIndexLeaf({ dataDir }: Store): void {
  const file = join(dataDir, "production.sqlite");
  const database = new Database(file);
  const { page } = database
    .query<{ page: number }, []>(
      "SELECT pageno AS page FROM dbstat WHERE name = 'pet_by_category' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 3",
    )
    .get() ?? { page: 0 };
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const bytes = readFileSync(file);
  const leaf = bytes.subarray((page - 1) * 4096, page * 4096);
  expect(leaf[0]).toBe(INDEX_LEAF);
  for (let cell = 0; cell < leaf.readUInt16BE(3); cell++) {
    const at = leaf.readUInt16BE(8 + 2 * cell);
    // The first byte of an index entry gives its length. The last byte belongs to the row number.
    const last = at + leaf.readUInt8(at);
    leaf.writeUInt8(leaf.readUInt8(last) ^ 0x01, last);
  }
  writeFileSync(file, bytes);
}

/** Runs the SQL statement of a `sqlite3` command that `petstore doctor` suggests. */
function runRemedy(line: string): void {
  const [, file = "", sql = ""] = /: sqlite3 (\S+) (REINDEX)$/.exec(line) ?? [];
  const database = new Database(file, { create: false, readwrite: true });
  database.run(sql);
  database.close();
}

const SOUND = /^ok {4}contents (\w+): no problem found: \d+ tables, [\d.]+ MB$/;

describe("petstore doctor --deep", () => {
  test("prints a line for each database of an undamaged store, and leaves the folder as it is", async () => {
    const store = await usedStore();
    const before = readdirSync(store.dataDir);
    const { code, lines } = await checkContents(store);
    expect([code, lines.map((line) => SOUND.exec(line)?.[1])]).toEqual([
      0,
      ["accounts", "production", "staging", "messages"],
    ]);
    expect(readdirSync(store.dataDir)).toEqual(before);
  });

  test("leaves a folder without a store empty", async () => {
    const store = await freshEmbeddedStore();
    expect((await checkContents(store)).code).toBe(0);
    expect(readdirSync(store.dataDir)).toEqual([]);
  });

  test("finds text that is no longer valid UTF-8", async () => {
    const store = await usedStore();
    overwrite(store, "Whiskers", "Whisk\xe5rs");
    const { code, lines } = await checkContents(store);
    expect([code, lines.filter((line) => line.startsWith("fail"))]).toEqual([
      1,
      [
        expect.stringMatching(
          /^fail {2}contents production: pet: row 3: name is not UTF-8 text\. .*petstore restore FILE/,
        ),
      ],
    ]);
  });

  test("finds a value that differs from its index, and one that its column does not allow", async () => {
    for (const [text, bytes, finding] of [
      // The text occurs only in a row of the table, as the name, category and status. The indexes contain only the category and the
      // status.
      ["Whiskers\x07available", "Whiskers\x06available", "missing from index pet_by_category"],
      ["Rex\x07available", "Rex\x07bvailable", "CHECK constraint failed in pet"],
    ] as const) {
      const store = await usedStore();
      overwrite(store, text, bytes);
      const { code, lines } = await checkContents(store);
      expect([code, lines.join("\n")]).toEqual([1, expect.stringContaining(finding)]);
    }
  });

  test("names a command that repairs an index which differs from its table", async () => {
    const store = await usedStore();
    addPets(store);
    damageIndexLeaf(store);
    const found = await checkContents(store);
    const differing = found.lines.filter((line) => line.startsWith("fail"));
    expect([found.code, differing.length > 1]).toEqual([1, true]);
    for (const line of differing) {
      expect(line).toContain("contents production: ");
      expect(line).not.toContain("petstore restore");
    }
    runRemedy(differing[0] ?? "");
    const { code, lines } = await checkContents(store);
    expect([code, lines.every((line) => SOUND.test(line))]).toEqual([0, true]);
    const server = await startServer({ store });
    expect((await everyPet(server, await makeKey(store))).length).toBe(PETS.length + 2000);
    await server.stop();
  });

  test("reports an unreadable index page without advice that could free pages of other tables", async () => {
    const store = await usedStore();
    addPets(store);
    damageIndexLeaf(store);
    const file = join(store.dataDir, "production.sqlite");
    const bytes = readFileSync(file);
    const leaf = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).findLast(
      (at) => bytes[at] === INDEX_LEAF,
    );
    writeFileSync(file, bytes.fill(0xee, leaf, (leaf ?? 0) + 4096));
    const { code, lines } = await checkContents(store);
    const found = lines.filter((line) => line.startsWith("fail"));
    expect([code, found.length > 0]).toEqual([1, true]);
    for (const line of found) expect(line).toContain("petstore restore FILE");
  });

  test("does not disturb a running service", async () => {
    const store = await usedStore();
    const key = await makeKey(store);
    const server = await startServer({ store });
    const { code, lines } = await checkContents(store);
    expect([code, lines.every((line) => SOUND.test(line))]).toEqual([0, true]);
    const body = '{"name":"later","categoryId":7}';
    expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
    await server.stop();
  });

  test("on PostgreSQL reads every row, and lets amcheck compare indexes if this user may call it", async () => {
    const address = new URL(await emptyDatabaseUrl());
    const sql = new SQL(address.href, { max: 1 });
    const owner = address.pathname.slice(1);
    await sql.unsafe(`CREATE ROLE ${owner} LOGIN; ALTER DATABASE ${owner} OWNER TO ${owner}`).simple();
    address.username = owner;
    const store = await freshPostgresStore(async () => address.href);
    expect((await petstore(store, ["migrate"])).code).toBe(0);
    const summaries = async () => {
      const { code, lines } = await checkContents(store);
      expect([code, lines.filter((line) => line.startsWith("fail"))]).toEqual([0, []]);
      return lines.map((line) => /^ok {4}contents \w+: no problem found: (.*)$/.exec(line)?.[1]);
    };
    for (const change of ["SELECT 1", "CREATE EXTENSION amcheck"]) {
      await sql.unsafe(change);
      for (const summary of await summaries())
        expect(summary).toMatch(
          /^\d+ tables read; indexes not checked: the extension amcheck is not installed, or this user may not call amcheck$/,
        );
    }
    await sql.unsafe(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${owner}`);
    await sql.close();
    for (const summary of await summaries())
      expect(summary).toMatch(/^\d+ tables read; [1-9]\d* indexes compared by amcheck$/);
  });
});
