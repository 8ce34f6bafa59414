import { expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import type { Database, Query } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { type Row, statement } from "../src/storage/statement.ts";
import { redeliver } from "../src/webhooks/deliveries.ts";
import { createWebhook, rotateWebhookSecret, updateWebhook } from "../src/webhooks/verbs.ts";
import { freshSettings, onEachEngine, operatorContext } from "./test-app.ts";

// Tests the queue of webhook deliveries after a webhook has been changed. Nothing is delivered in these tests.

const NOW = 1_000_000_000_000;
const RULES = { environment: "production", privateDestinations: "refuse" } as const;
const URL_THERE = "https://hooks.example.com";

const contextOf = (query: Query) => operatorContext(query, NOW);

onEachEngine((store) => {
  async function withStore(work: (database: Database) => Promise<void>): Promise<void> {
    const database = await openDatabase("production", await freshSettings(store));
    await work(database).finally(database.close);
  }
  const rowsOf = (database: Database, sql: string) =>
    database.read(statement<[], Row, string>(sql, withNumbers), []);
  // SQLite and PostgreSQL return small integers as different types, so they are converted.
  const withNumbers = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
    );
  const run = (database: Database, sql: string) => database.run(statement<[], undefined, string>(sql), []);
  const add = (database: Database) =>
    database.write((query) => createWebhook(contextOf(query), { body: { url: URL_THERE } }, RULES));
  const update = (database: Database, body: { status?: "enabled" | "disabled"; url?: string }) =>
    database.write((query) => updateWebhook(contextOf(query), { webhookId: 1, body }, RULES));
  const addEvent = (database: Database) =>
    run(
      database,
      "INSERT INTO event (type, created_at, actor_kind, actor_id, actor_name, request_id, data) VALUES ('pet.created', 1, 'operator', '', '', '', '{}')",
    );
  async function lastEventId(database: Database): Promise<unknown> {
    const [row] = await rowsOf(database, "SELECT last_event_id FROM webhook");
    return row?.["last_event_id"];
  }

  test("a webhook gets the events after its creation or after it was enabled again", () =>
    withStore(async (database) => {
      await addEvent(database);
      await add(database);
      expect(await lastEventId(database)).toBe(1);
      await addEvent(database);
      await update(database, { status: "enabled", url: `${URL_THERE}/moved` });
      expect(await lastEventId(database)).toBe(1);
      await update(database, { status: "disabled" });
      await addEvent(database);
      expect(await lastEventId(database)).toBe(1);
      await update(database, { status: "enabled" });
      expect(await lastEventId(database)).toBe(3);
    }));

  test("a rotated secret signs until its overlap ends, and the secret before it no longer signs", () =>
    withStore(async (database) => {
      const { secret: first } = await add(database);
      const rotate = (overlapHours?: number) =>
        database.write((query) =>
          rotateWebhookSecret(contextOf(query), { webhookId: 1, body: { overlapHours } }),
        );
      const stored = async () => {
        const [row] = await rowsOf(database, "SELECT secret, previous_secret, previous_until FROM webhook");
        return Object.values(row ?? {});
      };
      const { secret: second } = await rotate();
      expect(await stored()).toEqual([second, first, NOW + 24 * 3_600_000]);
      const { secret: third } = await rotate(1);
      expect(await stored()).toEqual([third, second, NOW + 3_600_000]);
      const { secret: fourth } = await rotate(0);
      expect(await stored()).toEqual([fourth, null, null]);
    }));

  test("a delivery that is sent again is due with all its attempts, or behind the earlier ones of its animal", () =>
    withStore(async (database) => {
      await add(database);
      const deliver = (subject: string, status: string, attempts: number, dueAt: number | "NULL") =>
        run(
          database,
          `INSERT INTO delivery (webhook_id, type, subject, status, attempts, due_at, created_at) VALUES (1, 'pet.updated', '${subject}', '${status}', ${attempts}, ${dueAt}, 1)`,
        );
      await deliver("pet 1", "failed", 10, "NULL");
      await deliver("pet 1", "queued", 3, NOW + 5_000);
      await deliver("pet 1", "delivered", 1, "NULL");
      await deliver("", "queued", 1, NOW + 5_000);
      await deliver("", "dropped", 1, "NULL");
      const again = async (deliveryId: Int64) => {
        await database.write((query) => redeliver(contextOf(query), { webhookId: 1, deliveryId }));
        const [row] = await rowsOf(
          database,
          `SELECT status, attempts, due_at FROM delivery WHERE id = ${deliveryId}`,
        );
        return Object.values(row ?? {});
      };
      expect(await again(2)).toEqual(["queued", 3, NOW]);
      expect(await again(3)).toEqual(["queued", 0, null]);
      expect(await again(1)).toEqual(["queued", 0, NOW]);
      expect(await again(2)).toEqual(["queued", 3, null]);
      expect(await again(5)).toEqual(["queued", 0, NOW]);
    }));
});
