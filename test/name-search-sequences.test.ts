import { expect, test } from "bun:test";
import type { Flags } from "../src/config/settings.ts";
import { createRandom, type Random } from "./random.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

// Adds, renames and removes animals at random. Each search by name must find the same animals as a simple search in the test.

interface Animal {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

const CHARACTERS = [
  "a",
  "a",
  "b",
  " ",
  "é",
  "É",
  "ｅ",
  "漢",
  "字",
  "🐶",
  "9",
  "-",
  "ı",
  "İ",
  "ς",
  "ß",
  "ł",
  "の",
] as const;
const WORDS = ["rex", "Rex", "fluffy", "Flüff", "max", "x".repeat(40), "🐶"] as const;
const SEED = Number(process.env["PETSTORE_TEST_SEED"] ?? Date.now() % 1_000_000);

onEachEngine((store) => {
  test(`in random sequences of changes, a search finds what a naive one does (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const shop = await openShop(await store(), random);
    for (let round = 0; round < 20; round++) {
      for (let change = 0; change < 10; change++) await shop.changeOne();
      const { query, isWanted } = shop.someSearch();
      const expected = [...shop.animals.values()].filter(isWanted).sort((one, other) => other.id - one.id);
      expect({ query, found: await shop.findAll(query) }).toEqual({ query, found: expected });
    }
    await shop.close();
  });
});

async function openShop(flags: Flags, random: Random) {
  const app = await createTestApp({}, flags);
  const { token: key } = await app.makeKey();
  const animals = new Map<number, Animal>();
  const send = (request: string, body?: object) =>
    app.ask("production", request, { key, ...(body && { body: JSON.stringify(body) }) });
  const { between, chance } = random;
  const someName = () => nameFrom(random);
  const someId = () => random.pick([1, ...animals.keys()]);

  async function add(): Promise<void> {
    const status = random.pick(["available", "sold", undefined]);
    const body = { name: someName(), categoryId: between(0, 1), ...(status !== undefined && { status }) };
    const { id } = (await send("POST /v1/pets", body)).json;
    animals.set(id, { id, ...body });
  }
  async function rename(): Promise<void> {
    const animal = animals.get(someId());
    if (animal === undefined) return;
    animal.name = someName();
    expect((await send(`PATCH /v1/pets/${animal.id}`, { name: animal.name })).status).toBe(200);
  }
  async function remove(): Promise<void> {
    const id = someId();
    await send(`DELETE /v1/pets/${id}`);
    animals.delete(id);
  }
  const changes = [add, add, add, add, rename, rename, remove] as const;

  return {
    animals,
    changeOne: () => random.pick(changes)(),
    someSearch() {
      const asked = chance(0.5)
        ? `${someName()} a`
        : [...random.pick(WORDS)].slice(0, between(1, 5)).join("");
      const name = fold(asked).trim() === "" ? "a" : asked;
      const status = chance(0.3) ? random.pick(["available", "sold"]) : undefined;
      const categoryId = chance(0.3) ? between(0, 1) : undefined;
      const ids = chance(0.2) ? [someId(), someId(), someId()] : undefined;
      const query = new URLSearchParams({ name, limit: String(between(1, 5)) });
      if (status !== undefined) query.set("status", status);
      if (categoryId !== undefined) query.set("categoryId", String(categoryId));
      if (ids !== undefined) query.set("id", ids.join());
      const isWanted = (animal: Animal) =>
        matches(animal.name, name) &&
        (status === undefined || animal.status === status) &&
        (categoryId === undefined || animal.categoryId === categoryId) &&
        (ids === undefined || ids.includes(animal.id));
      return { query: query.toString(), isWanted };
    },
    async findAll(query: string) {
      const pages = await app.readPages<Animal>(key, `/v1/pets?${query}`);
      return pages.flatMap(({ items }) => items);
    },
    close: app.close,
  };
}

/** Returns a random name. One name in ten is nearly 255 characters long, the maximum. */
function nameFrom({ between, chance, pick }: Random): string {
  const text = Array.from({ length: between(0, 12) }, () => pick(CHARACTERS)).join("");
  if (chance(0.1)) return `${text} ${"long ".repeat(38)} ${pick(WORDS)}`;
  return chance(0.3) ? text : Array.from({ length: between(1, 3) }, () => pick(WORDS)).join(" ");
}

/** Removes accents and case from a text, and replaces the letters that the contract lists. */
function fold(text: string): string {
  const pairs = "ß ss,æ ae,œ oe,þ th,ø o,ł l,đ d,ð d,ı i,ς σ".split(",").map((pair) => pair.split(" "));
  const lower = text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  return pairs.reduce((folded, [letter = "", others = ""]) => folded.replaceAll(letter, others), lower);
}

const isRun = (character: string) =>
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]/u.test(character);

/** Splits a text into words. As the contract requires, it also splits wherever the writing system changes. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let last: "none" | "run" | "word" = "none";
  for (const character of fold(text)) {
    const kind = !/[\p{L}\p{N}]/u.test(character) ? "none" : isRun(character) ? "run" : "word";
    if (kind !== "none") words.push((kind === last ? (words.pop() ?? "") : "") + character);
    last = kind;
  }
  return words;
}

function matches(name: string, text: string): boolean {
  const asked = wordsOf(text);
  if (asked.length === 0) return fold(name).includes(fold(text).trim());
  return asked.every((word) =>
    wordsOf(name).some((one) => (isRun(word) ? one.includes(word) : one.startsWith(word))),
  );
}
