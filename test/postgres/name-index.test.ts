import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { indexPets } from "../../src/pets/index-words.ts";
import { selectIndexed } from "../../src/pets/word-store.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { singleRow } from "../../src/storage/row.ts";
import { freshDatabaseUrl } from "./database.ts";

// Identifiers are committed out of their order: none may be passed that is still to come.

let url: string;
let database: Database;
let sql: SQL;
beforeEach(async () => {
  url = await freshDatabaseUrl();
  database = await openDatabase("production", { dataDir: "", databaseUrl: url });
  sql = new SQL(url, { max: 1 });
});
afterEach(async () => {
  await sql.close();
  await database.close();
});

const add = (name: string, connection: { unsafe: SQL["unsafe"] } = sql) =>
  connection.unsafe(`INSERT INTO production.pet (name, category_id) VALUES ('${name}', 1)`);
const indexedIn = async (one: Database) => singleRow(await one.read(selectIndexed, []));
const postings = () => sql.unsafe("SELECT word, pet_id::int AS id FROM production.pet_word ORDER BY 2, 1");

test("while a lower identifier is not committed, nothing is indexed; then all are", async () => {
  const late = new SQL(url, { max: 1 });
  await late.unsafe("BEGIN");
  await add("Late", late);
  await add("Early");
  expect(await database.settledId("pet")).toBeUndefined();
  await late.unsafe("COMMIT");
  await late.close();
  const settled = await database.settledId("pet");
  expect(settled).toBe(2n);
  await indexPets(database, await indexedIn(database), settled ?? 0n, async () => true);
  expect(await postings()).toEqual([
    { word: "late", id: 1 },
    { word: "early", id: 2 },
  ]);
});

test("a transaction that began to write later holds nothing up", async () => {
  await add("First");
  const other = new SQL(url, { max: 1 });
  await other.unsafe("BEGIN");
  await add("Open", other);
  const asked = database.settledId("pet");
  await other.unsafe("ROLLBACK");
  await other.close();
  expect(await asked).toBe(1n);
});

test("of two processes that keep words at the same time one goes on, and each word is there once", async () => {
  for (let count = 0; count < 30; count++) await add(`Name ${count}`);
  const other = await openDatabase("production", { dataDir: "", databaseUrl: url });
  const upTo = 30n;
  const before = await indexedIn(database);
  const go = async () => true;
  const made = await Promise.all([database, other].map((one) => indexPets(one, before, upTo, go)));
  await other.close();
  expect(made.filter((step) => step !== undefined)).toEqual([1n]);
  expect(await indexedIn(database)).toEqual({ lastId: upTo, step: 1n, waiting: 0 });
  expect((await postings()).length).toBe(60);
});
