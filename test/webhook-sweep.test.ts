import { expect, test } from "bun:test";
import { DELIVERY_SWEEP_ROWS } from "../src/limits.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { type Row, statement } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";
import { until } from "./until.ts";

// If the receiver of a webhook has failed for days, the webhook has more deliveries than one transaction may change.

const MANY = 2 * DELIVERY_SWEEP_ROWS + 1;

onEachEngine((store) => {
  const run = (database: Database, sql: string) => database.run(statement<[], undefined, string>(sql), []);
  const count = async (database: Database, of: string) => {
    const decode = (row: Row) => Number(row["found"]);
    const [found] = await database.read(
      statement<[], number, string>(`SELECT COUNT(*) AS found FROM ${of}`, decode),
      [],
    );
    return found;
  };

  async function withWebhook(
    work: (database: Database, call: (request: string, body?: string) => Promise<Response>) => Promise<void>,
  ): Promise<void> {
    const app = await createTestApp({}, await store());
    const { token: key } = await app.makeKey();
    const call = (request: string, body?: string) =>
      app.send("production", request, { key, ...(body !== undefined && { body }) });
    expect((await call("POST /v1/webhooks", '{"url":"https://hooks.example.com"}')).status).toBe(201);
    const database = await openDatabase("production", app.config);
    await run(
      database,
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
        INSERT INTO delivery (webhook_id, type, subject, status, attempts, created_at) SELECT 1, 'pet.updated', 'pet 1', 'queued', 0, n FROM numbers`,
    );
    await work(database, call);
    await database.close();
    await app.close();
  }
  // Waits until the service's background worker has given up and deleted all deliveries.
  const untilNone = (database: Database, of: string) => until(async () => (await count(database, of)) === 0);

  test("all deliveries that wait for a disabled webhook are dropped before it can be enabled again", () =>
    withWebhook(async (database, call) => {
      expect((await call("PATCH /v1/webhooks/1", '{"status":"disabled"}')).status).toBe(200);
      const enable = () => call("PATCH /v1/webhooks/1", '{"status":"enabled"}');
      const early = await enable();
      if (early.status !== 200)
        expect([early.status, early.headers.get("Retry-After"), await early.json()]).toMatchObject([
          503,
          "1",
          { message: "The queued deliveries of webhook 1 are still being dropped. Try again in a moment." },
        ]);
      await untilNone(database, "delivery WHERE status = 'queued'");
      expect(await count(database, "delivery WHERE status = 'dropped' AND due_at IS NULL")).toBe(MANY);
      expect((await enable()).status).toBe(200);
    }));

  test("a removed webhook disappears at once, and its deliveries and attempts soon afterwards", () =>
    withWebhook(async (database, call) => {
      await run(
        database,
        "INSERT INTO delivery_attempt (delivery_id, at, duration, status) SELECT CAST(id AS TEXT), 1, 1, 500 FROM delivery",
      );
      expect((await call("DELETE /v1/webhooks/1")).status).toBe(204);
      for (const request of [
        "GET /v1/webhooks/1",
        "DELETE /v1/webhooks/1",
        "POST /v1/webhooks/1/test",
        "GET /v1/webhooks/1/deliveries",
        "POST /v1/webhooks/1/deliveries/1/redeliver",
      ])
        expect([request, (await call(request)).status]).toEqual([request, 404]);
      expect((await call("PATCH /v1/webhooks/1", '{"status":"enabled"}')).status).toBe(404);
      expect((await call("POST /v1/webhooks/1/rotate-secret", "{}")).status).toBe(404);
      expect(await (await call("GET /v1/webhooks")).json()).toEqual([]);
      for (const table of ["webhook", "delivery", "delivery_attempt"]) await untilNone(database, table);
    }));
});
