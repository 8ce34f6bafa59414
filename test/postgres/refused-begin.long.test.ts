import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { createCategory, deleteCategory, updateCategory } from "../../src/categories/verbs.ts";
import type { Context } from "../../src/context.ts";
import { insert } from "../../src/events/change.ts";
import { cancelOrder, completeOrder, placeOrder } from "../../src/orders/verbs.ts";
import { addPet } from "../../src/pets/store.ts";
import { deletePet, updatePet } from "../../src/pets/verbs.ts";
import { systemRandomBytes } from "../../src/platform/random.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { noRows, statement } from "../../src/storage/statement.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";
import { type Relay, startRelay } from "./relay.ts";

// The service sends the first statements of a transaction together with its BEGIN. If PostgreSQL refuses the BEGIN, these
// statements arrive outside of any transaction and would be committed separately. For instance, a change would be stored without
// its event.

let relay: Relay;
let sql: SQL;
let database: Database;
beforeAll(async () => {
  const url = await freshDatabaseUrl();
  relay = startRelay(url);
  sql = new SQL(url, { max: 1 });
  database = await openDatabase("production", { dataDir: "", databaseUrl: relay.url });
});
afterAll(async () => {
  await database.close();
  await sql.close();
  relay.stop();
});

function write<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const now = Date.now();
  return database.write((query) =>
    work({ query, now, actor: { kind: "operator" }, randomBytes: systemRandomBytes }),
  );
}
const addAnimal = async () =>
  Number((await write((ctx) => insert(ctx, addPet, { name: "x", categoryId: 1, status: "available" }))).id);
const order = async (petId: number) =>
  Number((await write((ctx) => placeOrder(ctx, { body: { petId } }))).id);
const addCategory = async () =>
  Number((await write((ctx) => createCategory(ctx, { body: { name: "x" } }))).id);
const patch = { name: "y", status: "sold" } as const;
const emptyPets = { sql: "TRUNCATE production.pet CASCADE", decode: noRows };
const addSetting = statement("INSERT INTO setting (name, value) VALUES ('a', '1'), ('b', '2')");

/** One function that creates a resource, and one that changes it. */
type Case = readonly [make: () => Promise<number>, change: (ctx: Context, id: number) => Promise<unknown>];

const CASES: Readonly<Record<string, Case>> = {
  "a new animal": [async () => 0, (ctx) => insert(ctx, addPet, { name: "x", categoryId: 1, status: null })],
  "a patch of an animal": [addAnimal, (ctx, petId) => updatePet(ctx, { petId, body: patch })],
  "a removal": [addAnimal, (ctx, petId) => deletePet(ctx, { petId })],
  "a new category": [async () => 0, (ctx) => createCategory(ctx, { body: { name: "x" } })],
  "a patch of a category": [
    addCategory,
    (ctx, categoryId) => updateCategory(ctx, { categoryId, body: { name: "y" } }),
  ],
  "a removed category": [addCategory, (ctx, categoryId) => deleteCategory(ctx, { categoryId })],
  "an order": [addAnimal, (ctx, petId) => placeOrder(ctx, { body: { petId } })],
  "a completed order": [
    async () => order(await addAnimal()),
    (ctx, orderId) => completeOrder(ctx, { orderId }),
  ],
  "a cancelled order": [
    async () => order(await addAnimal()),
    (ctx, orderId) => cancelOrder(ctx, { orderId }),
  ],
  "statements without a place for a condition": [
    addAnimal,
    async ({ query }) => Promise.all([query(emptyPets, []), query(addSetting, [])]),
  ],
};

const readAll = async () => [
  ...(await sql`SELECT * FROM production.pet ORDER BY id`),
  ...(await sql`SELECT * FROM production.category ORDER BY id`),
  ...(await sql`SELECT * FROM production.store_order ORDER BY id`),
  ...(await sql`SELECT * FROM production.setting ORDER BY name`),
  ...(await sql`SELECT * FROM production.event ORDER BY id`),
];

/** Sets the time after which PostgreSQL cancels a statement, for the only connection that runs transactions. */
const setTimeoutOfStatements = (time: string) =>
  database.write((query) => query({ sql: `SET statement_timeout = '${time}'`, decode: noRows }, []));

/** Returns true once PostgreSQL has waited so long for the rest of a BEGIN message that it will refuse it. */
const isOverTimeout = async () =>
  (
    await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
      AND query LIKE 'BEGIN%' AND clock_timestamp() > query_start + interval '1.1 s'`
  ).length > 0;

test.each(Object.entries(CASES))(
  "without its BEGIN, nothing is changed: %s",
  async (_name, [make, change]) => {
    // Runs each statement once beforehand, because its first run takes an extra round trip, in which PostgreSQL prepares it.
    const prepared = await make();
    await write((ctx) => change(ctx, prepared));
    await sql`DELETE FROM production.setting WHERE name IN ('a', 'b')`;
    const id = await make();
    const before = await readAll();
    // The service itself gives up one second after PostgreSQL does. A busy machine needs more time than that.
    await setTimeoutOfStatements("1s");
    const interruption = relay.interrupt(/^BEGIN/);
    const changing = write((ctx) => change(ctx, id)).catch((refusal: unknown) => refusal);
    await until(isOverTimeout);
    interruption.proceed();
    expect(await changing).toMatchObject({
      ...{ status: 503, code: "unavailable" },
      cause: { message: expect.stringContaining("canceling statement due to statement timeout") },
    });
    expect(await readAll()).toEqual(before);
    await setTimeoutOfStatements("3s");
    await write((ctx) => change(ctx, id));
  },
);
