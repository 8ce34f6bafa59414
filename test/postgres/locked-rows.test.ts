import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Context } from "../../src/context.ts";
import { insert } from "../../src/events/change.ts";
import { placeOrder } from "../../src/orders/verbs.ts";
import { addPet } from "../../src/pets/store.ts";
import { updatePet } from "../../src/pets/verbs.ts";
import { systemRandomBytes } from "../../src/platform/random.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";
import { type Relay, startRelay } from "./relay.ts";

// Each patch and each order is a single statement. Other clients' statements use the same connection at the same time, so this
// statement must not wait for a row that another transaction has locked. The change is made completely or not at all.

let relay: Relay;
let database: Database;
let sql: SQL;
beforeEach(async () => {
  const url = await freshDatabaseUrl();
  relay = startRelay(url);
  database = await openDatabase("production", { dataDir: "", databaseUrl: relay.url });
  sql = new SQL(url, { max: 2 });
});
afterEach(async () => {
  await database.close();
  await sql.close({ timeout: 0 });
  relay.stop();
});

const own = { now: 0, actor: { kind: "operator" }, randomBytes: systemRandomBytes } as const;
const change = <Result>(work: (ctx: Context) => Promise<Result>) =>
  database.write((query) => work({ query, ...own }), { isAtomic: true, readsFirst: true });
const addAnimal = async () => {
  const pet = { name: "x", categoryId: 1, status: "available" };
  return Number((await database.write((query) => insert({ query, ...own }, addPet, pet))).id);
};
const rename = (petId: number, name: string) => change((ctx) => updatePet(ctx, { petId, body: { name } }));
/** Repeats a change until it misses no deadline. On a busy machine, changes that wait for one another may miss theirs. */
async function untilMade<Result>(make: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await make();
    } catch (error) {
      if (Object(error).code !== "unavailable") throw error;
    }
}
/** Counts the sessions that wait for a lock. */
const waiting = async () =>
  (await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    .length;
const order = (petId: number) => change((ctx) => placeOrder(ctx, { body: { petId } }));

test("changes of an animal that another transaction has locked wait, and changes of other animals do not", async () => {
  const animals: number[] = [];
  while (animals.length < 40) animals.push(await addAnimal());
  const [locked, ordered, ...others] = animals;
  const stranger = await sql.reserve();
  await stranger`BEGIN`;
  await stranger`SELECT FROM production.pet WHERE id IN (${locked}, ${ordered}) FOR UPDATE`;
  let isReleased = false;
  const waiting = [rename(Number(locked), "y"), order(Number(ordered))].map(async (made) => {
    await made;
    expect(isReleased).toBe(true);
  });
  const renamed = await Promise.all(others.map((petId) => rename(petId, "z")));
  expect(renamed.map(({ name }) => name)).toEqual(others.map(() => "z"));
  isReleased = true;
  await stranger`COMMIT`;
  stranger.release();
  await Promise.all(waiting);
  const stored = async (id: number | undefined) =>
    (await sql`SELECT name, status FROM production.pet WHERE id = ${id}`)[0];
  expect([await stored(locked), await stored(ordered)]).toEqual([
    { name: "y", status: "available" },
    { name: "x", status: "pending" },
  ]);
});

test("a patch that waits for a locked row notices an order, also if the row then has its old values again", async () => {
  const petId = await addAnimal();
  await sql`UPDATE production.pet SET status = 'pending' WHERE id = ${petId}`;
  const stranger = await sql.reserve();
  await stranger`BEGIN`;
  await stranger`UPDATE production.pet SET status = 'available' WHERE id = ${petId}`;
  const patched = change((ctx) => updatePet(ctx, { petId, body: { status: "sold" } })).catch(
    (error: unknown) => error,
  );
  await until(async () => (await waiting()) > 0);
  await stranger`INSERT INTO production.store_order (pet_id, quantity, complete, created_at) VALUES (${petId}, 1, 0, 0)`;
  await stranger`UPDATE production.pet SET status = 'pending' WHERE id = ${petId}`;
  await stranger`COMMIT`;
  stranger.release();
  expect(await patched).toMatchObject({ status: 409, code: "pet_has_open_order" });
  expect([...(await sql`SELECT status FROM production.pet WHERE id = ${petId}`)]).toEqual([
    { status: "pending" },
  ]);
});

test("patches of one animal by many clients at once are all made", async () => {
  const petId = await addAnimal();
  const names = Array.from({ length: 30 }, (_, index) => `y ${index}`);
  const renamed = await Promise.all(names.map((name) => untilMade(() => rename(petId, name))));
  expect(renamed.map(({ name }) => name)).toEqual(names);
});

test("a change whose client has disconnected is not retried", async () => {
  const petId = await addAnimal();
  const stranger = await sql.reserve();
  await stranger`BEGIN`;
  await stranger`SELECT FROM production.pet WHERE id = ${petId} FOR UPDATE`;
  // The first attempt finds the row locked, and the client disconnects before the second attempt.
  let attempts = 0;
  const late = database.write((query) => updatePet({ query, ...own }, { petId, body: { name: "late" } }), {
    ...{ isAtomic: true, readsFirst: true },
    beforeSending() {
      attempts += 1;
      if (attempts > 1) throw new Error("The client has gone.");
    },
  });
  expect(String(await late.catch((error: unknown) => error))).toContain("The client has gone.");
  await stranger`COMMIT`;
  stranger.release();
  expect([...(await sql`SELECT name FROM production.pet WHERE id = ${petId}`)]).toEqual([{ name: "x" }]);
});

test("a patch is made although the connection that reads the animal is lost", async () => {
  const petId = await addAnimal();
  await rename(petId, "y");
  const reads = () => relay.statements.filter((text) => text.startsWith("SELECT id, name")).length;
  const before = reads();
  const hold = relay.hold(/^SELECT id, name/);
  const patched = rename(petId, "z").catch((error: unknown) => error);
  await hold.held;
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'SELECT id, name%production.pet %'`;
  await Promise.race([patched, until(() => reads() > before + 1)]);
  hold.release();
  expect(await patched).toMatchObject({ name: "z" });
});

test("an order whose connection is lost before the response is placed completely, and its outcome is reported as unknown", async () => {
  const petId = await addAnimal();
  // The first run of a statement also prepares it, which adds one more response from the server.
  await order(await addAnimal());
  const isOrder = (text: string) => text.startsWith("WITH");
  const before = relay.statements.filter(isOrder).length;
  const hold = relay.hold(/^WITH/);
  const lost = order(petId).catch((error: unknown) => error);
  await until(() => relay.statements.filter(isOrder).length > before && !relay.isBusy());
  // Waits until all sessions have ended. Otherwise, a later change could still be sent on one of them.
  await sql`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'petstore'`;
  expect(await lost).toMatchObject({
    ...{ status: 503, code: "unavailable" },
    message: expect.stringContaining("may or may not have been made"),
  });
  hold.release();
  expect([...(await sql`SELECT status FROM production.pet WHERE id = ${petId}`)]).toEqual([
    { status: "pending" },
  ]);
  expect([...(await sql`SELECT complete FROM production.store_order WHERE pet_id = ${petId}`)]).toHaveLength(
    1,
  );
  const events = await sql`SELECT type FROM production.event WHERE pet_id = ${petId} ORDER BY id`;
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    ...["pet.created", "order.placed", "pet.updated"],
  ]);
  const again = await order(petId).catch((error: unknown) => error);
  expect(again).toMatchObject({ status: 409, code: "pet_not_available" });
});
