import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { patchPet, selectPet } from "../../src/pets/store.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { textColumn } from "../../src/storage/row.ts";
import { EVENT } from "../new-pet.ts";
import { createTestApp } from "../test-app.ts";
import { until, untilCached } from "../until.ts";
import { persist } from "../wire/send.ts";
import { freshDatabaseUrl } from "./database.ts";
import { type Relay, startRelay } from "./relay.ts";

// Changes and orders that arrive while a statement is running are executed together by the next statement. A row's `xmin` tells
// which transaction stored it.

const ANIMALS = 40;

let databaseUrl: string;
let relay: Relay;
let app: Awaited<ReturnType<typeof createTestApp>>;
let key: string;
let sql: SQL;
beforeEach(async () => {
  databaseUrl = await freshDatabaseUrl();
  relay = startRelay(databaseUrl);
  app = await createTestApp({}, { databaseUrl: relay.url });
  key = (await app.makeKey()).token;
  sql = new SQL(databaseUrl, { max: 2, bigint: true, connection: { search_path: "production" } });
  await untilCached(app, key);
  for (let id = 1; id <= ANIMALS; id++)
    await send("POST /v1/pets", { name: `Rex ${id}`, categoryId: id, status: "available" });
});
afterEach(async () => {
  await app.close();
  await sql.close();
  relay.stop();
});

const send = (request: string, body: object) =>
  app.send("production", request, { key, body: JSON.stringify(body) });
const patch = (id: number, body: object) => send(`PATCH /v1/pets/${id}`, body);
/** Makes one change to every animal, all at the same time. */
const atOnce = <Result>(run: (id: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: ANIMALS }, (_, index) => run(index + 1)));
/** Works like `atOnce`, but holds back the response to the first change until all other changes are waiting for it. */
async function whileOneRuns<Result>(run: (id: number) => Promise<Result>): Promise<readonly Result[]> {
  const sent = (pattern: RegExp) => relay.statements.filter((text) => pattern.test(text)).length;
  relay.statements.length = 0;
  const hold = relay.hold(/^WITH given/);
  const replies = atOnce(run);
  // Each change reads its animal before it joins the next statement.
  await until(() => sent(/^SELECT id, name/) === ANIMALS && sent(/^WITH given/) === 1 && !relay.isBusy());
  // During this round trip, the service receives the animals that the relay has just forwarded.
  await sql`SELECT 1`;
  hold.release();
  return replies;
}
const countTransactions = async (table: string) => {
  const [row] = await sql.unsafe<{ n: bigint }[]>(`SELECT count(DISTINCT xmin::text) AS n FROM ${table}`);
  return Number(row?.n);
};
interface Event {
  readonly type: string;
  readonly pet_id: bigint;
  readonly resource_id: bigint | null;
  readonly data: string;
  readonly previous: string | null;
}
const eventsAfter = (id: number) =>
  sql<Event[]>`SELECT type, pet_id, resource_id, data, previous FROM event WHERE id > ${id} ORDER BY id`;

test("patches that arrive at once share a statement, which appends the event of each", async () => {
  const replies = await whileOneRuns((id) => patch(id, { name: `"Max" \\ ${id}, {NULL} 🐈`, status: null }));
  expect(replies.map(({ status }) => status)).toEqual(Array(ANIMALS).fill(200));
  expect(await countTransactions("pet")).toBeLessThanOrEqual(2);
  const names = await sql<
    { name: string; status: string | null }[]
  >`SELECT name, status FROM pet ORDER BY id`;
  expect(names.map(({ name, status }) => [name, status])).toEqual(
    Array.from({ length: ANIMALS }, (_, index) => [`"Max" \\ ${index + 1}, {NULL} 🐈`, null]),
  );
  const events = await eventsAfter(ANIMALS);
  expect(events).toHaveLength(ANIMALS);
  for (const { pet_id: id, data, previous } of events)
    expect([JSON.parse(data).name, JSON.parse(previous ?? "")]).toEqual([
      `"Max" \\ ${id}, {NULL} 🐈`,
      { name: `Rex ${id}`, status: "available" },
    ]);
});

test("orders that arrive at once share a statement, and each order's event comes before its animal's", async () => {
  const replies = await whileOneRuns((petId) => send("POST /v1/store/orders", { petId }));
  expect(replies.map(({ status }) => status)).toEqual(Array(ANIMALS).fill(201));
  expect(await countTransactions("store_order")).toBeLessThanOrEqual(2);
  const events = await eventsAfter(ANIMALS);
  const orders = await sql<{ id: bigint; pet_id: bigint }[]>`SELECT id, pet_id FROM store_order ORDER BY id`;
  expect(new Set(orders.map(({ pet_id }) => pet_id)).size).toBe(ANIMALS);
  expect(events.map(({ type, pet_id, resource_id }) => [type, pet_id, resource_id])).toEqual(
    orders.flatMap(({ id, pet_id }) => [
      ["order.placed", pet_id, id],
      ["pet.updated", pet_id, null],
    ]),
  );
});

test("changes of one animal that arrive at once are made one after another", async () => {
  const ask = (body: object) =>
    app.ask("production", "PATCH /v1/pets/1", { key, body: JSON.stringify(body) });
  const replies = await atOnce((index) => persist(() => ask({ categoryId: 1000 + index })));
  expect(replies.map(({ status }) => status)).toEqual(Array(ANIMALS).fill(200));
  const events = await eventsAfter(ANIMALS);
  const before = events.map(({ previous }) => JSON.parse(previous ?? "").categoryId);
  const after = events.map(({ data }) => JSON.parse(data).categoryId);
  expect(before).toEqual([1, ...after.slice(0, -1)]);
  expect(new Set(after).size).toBe(ANIMALS);
});

test("a patch that the database refuses does not affect the others", async () => {
  await sql.unsafe("ALTER TABLE pet ADD CONSTRAINT refused CHECK (name <> 'bad')");
  const replies = await atOnce((id) => patch(id, { name: id === 7 || id === 30 ? "bad" : "good" }));
  const refused = replies.flatMap(({ status }, index) => (status === 200 ? [] : [index + 1]));
  expect(refused).toEqual([7, 30]);
  const rows = await sql<{ id: bigint }[]>`SELECT id FROM pet WHERE name <> 'good' ORDER BY id`;
  expect(rows.map(({ id }) => Number(id))).toEqual([7, 30]);
});

test("a locked animal delays only its own patch", async () => {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction`SELECT FROM pet WHERE id = 3 FOR UPDATE`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  let isAnswered = false;
  const late = patch(3, { name: "Max" }).finally(() => {
    isAnswered = true;
  });
  const others = Array.from({ length: ANIMALS }, (_, index) => index + 1).filter((id) => id !== 3);
  const replies = await Promise.all(others.map((id) => patch(id, { name: "Max" })));
  expect(replies.map(({ status }) => status)).toEqual(others.map(() => 200));
  expect(isAnswered).toBe(false);
  held.resolve();
  await holding;
  expect((await late).status).toBe(200);
});

test("a plan made for an empty table does not read it whole once it has grown", async () => {
  await sql`DELETE FROM pet`;
  await sql`ANALYZE`;
  const database = await openDatabase("production", { dataDir: "", databaseUrl });
  try {
    const [pet] = await database.read(selectPet, [1]);
    expect(pet).toBeUndefined();
    const before = { id: 1, name: "Rex", categoryId: 1 };
    const { statement } = patchPet(1, { name: "Max", status: null }).comparing(before, EVENT);
    const { sql: text = "" } = statement.compared?.unlessLocked ?? {};
    const values = statement.compared?.steps.flatMap(({ count }) => Array(count).fill("{}")) ?? [];
    const plan = await database.run({ sql: `EXPLAIN ${text}`, decode: textColumn("QUERY PLAN") }, values);
    expect(plan.join("\n")).not.toContain("Seq Scan on pet");
  } finally {
    await database.close();
  }
});
