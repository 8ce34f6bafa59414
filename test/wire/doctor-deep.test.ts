import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, startServer } from "./server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "./stores.ts";

// `petstore doctor --deep` finds what is damaged inside a database.

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

/** A copy of a store with animals. */
async function usedStore(): Promise<Store> {
  const store = await freshEmbeddedStore();
  cpSync(filled.dataDir, store.dataDir, { recursive: true });
  return store;
}

/** Replaces the first occurrence of a text in the production database's file, byte for byte. */
function overwrite({ dataDir }: Store, text: string, bytes: string): void {
  const file = join(dataDir, "production.sqlite");
  const content = readFileSync(file);
  const offset = content.indexOf(text, 0, "latin1");
  expect(offset).toBeGreaterThan(0);
  content.write(bytes, offset, "latin1");
  writeFileSync(file, content);
}

const SOUND = /^ok {4}contents (\w+): nothing wrong: \d+ tables, [\d.]+ MB$/;

describe("petstore doctor --deep", () => {
  test("a sound store: a line for each database, and the folder is left as it is", async () => {
    const store = await usedStore();
    const before = readdirSync(store.dataDir);
    const { code, lines } = await checkContents(store);
    expect([code, lines.map((line) => SOUND.exec(line)?.[1])]).toEqual([
      0,
      ["accounts", "production", "staging", "messages"],
    ]);
    expect(readdirSync(store.dataDir)).toEqual(before);
  });

  test("a folder without a store stays empty", async () => {
    const store = await freshEmbeddedStore();
    expect((await checkContents(store)).code).toBe(0);
    expect(readdirSync(store.dataDir)).toEqual([]);
  });

  test("a text that is none any more", async () => {
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

  test("a value that differs from its index, and one that its column refuses", async () => {
    for (const [text, bytes, finding] of [
      // Name, category and status of a row; the indexes have the last two alone.
      ["Whiskers\x07available", "Whiskers\x06available", "missing from index pet_by_category"],
      ["Rex\x07available", "Rex\x07bvailable", "CHECK constraint failed in pet"],
    ] as const) {
      const store = await usedStore();
      overwrite(store, text, bytes);
      const { code, lines } = await checkContents(store);
      expect([code, lines.join("\n")]).toEqual([1, expect.stringContaining(finding)]);
    }
  });

  test("beside a running service, which is not disturbed", async () => {
    const store = await usedStore();
    const key = await makeKey(store);
    const server = await startServer({ store });
    const { code, lines } = await checkContents(store);
    expect([code, lines.every((line) => SOUND.test(line))]).toEqual([0, true]);
    const body = '{"name":"later","categoryId":7}';
    expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
    await server.stop();
  });

  test("on PostgreSQL reads every row, and has amcheck compare indexes where it is installed", async () => {
    const store = await freshPostgresStore();
    expect((await petstore(store, ["migrate"])).code).toBe(0);
    const summaries = async () => {
      const { code, lines } = await checkContents(store);
      expect([code, lines.filter((line) => line.startsWith("fail"))]).toEqual([0, []]);
      return lines.map((line) => /^ok {4}contents \w+: nothing wrong: (.*)$/.exec(line)?.[1]);
    };
    for (const summary of await summaries())
      expect(summary).toMatch(
        /^\d+ tables read; indexes not compared: the extension amcheck is not installed/,
      );
    const sql = new SQL(store.settings["PETSTORE_DATABASE_URL"] ?? "");
    await sql`CREATE EXTENSION amcheck`;
    await sql.close();
    for (const summary of await summaries())
      expect(summary).toMatch(/^\d+ tables read; [1-9]\d* indexes compared by amcheck$/);
  });
});
