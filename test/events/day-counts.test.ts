import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import { createDayCounter, openLog } from "../../src/console/count-by-day.ts";
import type { Context } from "../../src/context.ts";
import { createContext } from "../../src/events/change.ts";
import { DAY_MS } from "../../src/limits.ts";
import { completeOrder, placeOrder } from "../../src/orders/verbs.ts";
import type { NewPet, PetStatus } from "../../src/pets/contract.ts";
import { createPet, deletePet, updatePet } from "../../src/pets/verbs.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { singleRow } from "../../src/storage/row.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { onEachEngine, operatorContext } from "../test-app.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Tests how the service counts the events of a day without an index on their times. A day that has passed is counted only once.

const SALE = { data: '{"name":"x","categoryId":1,"status":"sold"}', previous: '{"status":null}' };

const addEvent: Statement<
  [id: number, type: string, createdAt: number, data: string, previous: string | null]
> = statement(
  `INSERT INTO event (id, type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data, previous)
    VALUES ($1, $2, $3, 'operator', '', '', '', 1, $4, $5)`,
);
const addMany: Statement<[first: number, last: number]> = statement(
  `INSERT INTO event (id, type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data)
    WITH RECURSIVE n (i) AS (SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $2)
    SELECT i, 'pet.created', ${Date.UTC(2026, 2, 1)}, 'operator', '', '', '', 1, '{}' FROM n`,
);
const removeEvents: Statement<[below: number]> = statement("DELETE FROM event WHERE id < $1");

const START = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

onEachEngine((settings) => {
  let database: Database;
  beforeEach(async () => {
    const { dataDir } = await freshEmbeddedStore();
    const { databaseUrl } = await settings();
    database = await openDatabase("production", { dataDir, databaseUrl });
  });
  afterEach(() => database.close());

  const add = (id: number, type: string, at: number) => {
    const { data, previous } = type === "pet.updated" ? SALE : { data: "{}", previous: null };
    return database.run(addEvent, [id, type, at, data, previous]);
  };
  /** Adds 60 events, one every 5 hours from START. Every third event is a sale. Some identifiers between the events are missing. */
  async function fill(): Promise<readonly { at: number; type: string }[]> {
    const events = Array.from({ length: 60 }, (_, index) => ({
      at: START + index * 5 * HOUR,
      type: index % 3 === 0 ? "pet.updated" : "pet.created",
    }));
    for (const [index, { at, type }] of events.entries()) await add(10 + index * 3, type, at);
    return events;
  }
  async function log() {
    const opened = await openLog(database.read);
    if (opened === undefined) throw new Error("There are no events.");
    return opened;
  }

  /** For each period between two consecutive times, counts the animals that were sold and added. */
  async function count(countDays: ReturnType<typeof createDayCounter>, starts: readonly number[]) {
    const days = await countDays(database.read, await log(), starts);
    return days.map(({ sold, added }) => [sold, added]);
  }

  test("each event is counted on its own day, at whatever time the days begin", async () => {
    const events = await fill();
    for (const shift of [0, -5.5 * HOUR, 13 * HOUR]) {
      const starts = Array.from({ length: 18 }, (_, day) => START + shift + (day - 2) * DAY_MS);
      const expected = starts.map((from, index) => {
        const within = events.filter(
          ({ at }) => at >= from && at < (starts[index + 1] ?? Number.POSITIVE_INFINITY),
        );
        const sold = within.filter(({ type }) => type === "pet.updated").length;
        return [sold, within.length - sold];
      });
      const known = expected.slice(starts.findIndex((from) => from + DAY_MS > START));
      expect([shift, await count(createDayCounter(), starts)]).toEqual([shift, known]);
    }
  });

  test("an undone sale is counted on no day, even if the day was counted before", async () => {
    await fill();
    const countDays = createDayCounter();
    const starts = [START, START + DAY_MS];
    const [[sold = 0, added] = []] = await count(countDays, starts);
    const last = { id: 13, data: '{"status":"sold"}', previous: '{"status":"available"}' };
    await database.run(addEvent, [last.id + 1, "pet.updated", START + 6 * HOUR, last.data, last.previous]);
    await database.run(addEvent, [
      999,
      "pet.updated",
      START + 20 * DAY_MS,
      '{"status":"available"}',
      '{"status":"sold"}',
    ]);
    expect(await count(countDays, starts)).toMatchObject([[0, added], expect.anything()]);
    expect(sold).toBeGreaterThan(0);
  });

  test("new events of today are added to its counts", async () => {
    await fill();
    const today = [START + 10 * DAY_MS];
    const countDays = createDayCounter();
    expect(await count(countDays, today)).toEqual([[4, 8]]);
    await add(1000, "pet.created", START + 20 * DAY_MS);
    expect(await count(countDays, today)).toEqual([[4, 9]]);
  });

  test("a day with more events than one statement counts is counted exactly, even for several concurrent callers", async () => {
    // Several statements add the events, because PostgreSQL ends a statement that takes several seconds.
    for (let first = 1; first < 20_000; first += 2_000) await database.run(addMany, [first, first + 1_999]);
    const countDays = createDayCounter();
    const asked = await Promise.all([1, 2, 3].map(() => count(countDays, [START, START + DAY_MS])));
    expect(asked).toEqual(
      new Array(3).fill([
        [0, 20_000],
        [0, 0],
      ]),
    );
  });

  test("an event is counted once, and the counts start again if another log replaces this one", async () => {
    const countDays = createDayCounter();
    const added = async () => (await count(countDays, [START, START + DAY_MS]))[0]?.[1];
    for (const id of [10, 11]) await add(id, "pet.created", START);
    expect(await added()).toBe(2);
    await database.run(removeEvents, [11]);
    expect(await added()).toBe(2);
    await add(12, "pet.created", START + DAY_MS);
    expect(await added()).toBe(2);
    await database.run(removeEvents, [13]);
    await add(1, "order.placed", START);
    expect(await added()).toBe(0);
  });

  test("a sale is a change to sold, by order or by hand, that was not undone; nothing else counts as a sale", async () => {
    const sold = async () => (await count(createDayCounter(), [0]))[0]?.[0];
    const run = <Result>(work: (ctx: Context) => Promise<Result>) =>
      database.write((query) => work(operatorContext(query, START)));
    const name = 'Rex","status":"sold';
    const add = async (status: PetStatus) =>
      singleRow(
        await database.create(
          createPet(createContext(operatorContext(database.run, START)), {
            body: { name, categoryId: 1, status },
          }),
        ),
      );
    const change = (petId: Int64, body: Partial<NewPet>) => run((ctx) => updatePet(ctx, { petId, body }));
    const { id: petId } = await add("available");
    const order = await run((ctx) => placeOrder(ctx, { body: { petId } }));
    expect(await sold()).toBe(0);
    await run((ctx) => completeOrder(ctx, { orderId: order.id }));
    expect(await sold()).toBe(1);
    const gone = await add("sold");
    await change(petId, { name: `${name}er` });
    await change(petId, { status: "sold" });
    await run((ctx) => deletePet(ctx, { petId: gone.id }));
    expect(await sold()).toBe(1);
    await change(petId, { status: "available" });
    expect(await sold()).toBe(0);
    await change(petId, { status: "sold", name });
    expect(await sold()).toBe(1);
  });

  test("an empty log has no identity", async () => {
    expect(await openLog(database.read)).toBeUndefined();
  });
});
