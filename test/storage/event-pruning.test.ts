import { afterEach, beforeEach, expect, test } from "bun:test";
import { requireKept } from "../../src/events/list-events.ts";
import { selectLogEnd, selectRemoved } from "../../src/events/store.ts";
import { DAY_MS, PRUNED_MAX } from "../../src/limits.ts";
import {
  BATCHES_INTERVAL_MS,
  BATCHES_PAUSE_MS,
  batchesOf,
  createMaintenance,
} from "../../src/server/maintenance.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { numberColumn } from "../../src/storage/row.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { createTestClock, type TestClock } from "../clock.ts";
import { onEachEngine } from "../test-app.ts";
import { until } from "../until.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// The service deletes old events and webhook deliveries in batches, oldest first. It keeps those that still have to be delivered.

const addEvent: Statement<[id: number, createdAt: number]> = statement(
  `INSERT INTO event (id, type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data)
    VALUES ($1, 'pet.deleted', $2, 'operator', '', '', '', 1, '{}')`,
);
const addWebhook: Statement<[status: string, lastEventId: number]> = statement(
  `INSERT INTO webhook (url, types, status, created_at, secret, last_event_id)
    VALUES ('https://example.com', '[]', $1, 0, '', $2)`,
);
const addDelivery: Statement<[status: string, eventId: number]> = statement(
  `INSERT INTO delivery (webhook_id, event_id, type, subject, status, attempts, created_at)
    VALUES (1, $2, 'pet.deleted', 'pet 1', $1, 0, 0)`,
);
const ids: Statement<[], number> = statement("SELECT id FROM event ORDER BY id", numberColumn("id"));
const deliveredEvents: Statement<[], number> = statement(
  "SELECT event_id FROM delivery",
  numberColumn("event_id"),
);
const deliverAll: Statement<[]> = statement("UPDATE delivery SET status = 'delivered'");
const seeAll: Statement<[]> = statement("UPDATE webhook SET last_event_id = 1000000");

onEachEngine((settings) => {
  let database: Database;
  let clock: TestClock;
  let resources: AsyncDisposableStack;
  let failures: unknown[];

  beforeEach(async () => {
    const { dataDir } = await freshEmbeddedStore();
    const { databaseUrl } = await settings();
    database = await openDatabase("production", { dataDir, databaseUrl });
    clock = createTestClock();
    failures = [];
    resources = new AsyncDisposableStack();
    const log = { error: (fault: unknown) => failures.push(fault) };
    const maintenance = createMaintenance({ clock, log, resources });
    maintenance.addBatches(database, batchesOf({ historyDays: 30 }).store);
    maintenance.start();
  });
  afterEach(async () => {
    await resources.disposeAsync();
    await database.close();
    expect(failures).toEqual([]);
  });

  const addEvents = (first: number, count: number, ageDays: number) =>
    database.write(async (query) => {
      for (let id = first; id < first + count; id++)
        await query(addEvent, [id, clock.now() - ageDays * DAY_MS]);
    });
  const kept = async () => database.read(ids, []);
  async function untilFirst(id: number | undefined): Promise<void> {
    await until(async () => {
      await clock.advance(BATCHES_PAUSE_MS);
      return (await kept())[0] === id;
    });
  }

  test("events of more than one batch are deleted, up to the first newer event", async () => {
    const old = 2 * PRUNED_MAX + 10;
    await addEvents(1, old, 31);
    await addEvents(old + 1, 1, 29);
    await addEvents(old + 2, 3, 31);
    await clock.advance(BATCHES_INTERVAL_MS);
    await untilFirst(old + 1);
    expect(await kept()).toEqual([old + 1, old + 2, old + 3, old + 4]);
  });

  test("the highest deleted identifier is stored, so that positions with missing events are recognized", async () => {
    const removed = () => database.read(selectRemoved, []);
    const end = () => database.read(selectLogEnd, []);
    await addEvents(1, 1, 29);
    await clock.advance(BATCHES_INTERVAL_MS);
    expect([await removed(), await end()]).toEqual([[], [1n]]);
    await clock.advance(2 * DAY_MS);
    await addEvents(7, 1, 40);
    await untilFirst(undefined);
    expect([await removed(), await end()]).toEqual([[7n], [7n]]);
    await requireKept(database.read, 7n);
    expect(requireKept(database.read, 6n)).rejects.toMatchObject({ code: "cursor_expired" });
  });

  test("events that await delivery, or that an enabled webhook has not seen, are not deleted", async () => {
    await addEvents(1, 20, 31);
    await database.run(addWebhook, ["enabled", 8]);
    await database.run(addWebhook, ["disabled", 2]);
    await database.run(addDelivery, ["delivered", 3]);
    await database.run(addDelivery, ["queued", 5]);
    await clock.advance(BATCHES_INTERVAL_MS);
    await untilFirst(5);
    await until(async () => {
      await clock.advance(BATCHES_PAUSE_MS);
      return (await database.read(deliveredEvents, [])).join() === "5";
    });
    await database.run(deliverAll, []);
    await clock.advance(BATCHES_INTERVAL_MS);
    await untilFirst(9);
    await database.run(seeAll, []);
    await clock.advance(BATCHES_INTERVAL_MS);
    await untilFirst(undefined);
  });
});
