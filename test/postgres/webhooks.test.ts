import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { eventSource } from "../../src/delivery/event-source.ts";
import { DELIVERY_LEASE_MS } from "../../src/limits.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { numberColumn, singleRow } from "../../src/storage/row.ts";
import { createWebhook, updateWebhook } from "../../src/webhooks/verbs.ts";
import { operatorContext } from "../test-app.ts";
import { until } from "../until.ts";
import { createReceiver } from "../webhooks/receiver.ts";
import { openStage } from "../webhooks/stage.ts";
import { freshDatabaseUrl } from "./database.ts";

const RULES = { environment: "production", privateDestinations: "refuse" } as const;
let database: Database;
let sql: SQL;

beforeEach(async () => {
  const databaseUrl = await freshDatabaseUrl();
  database = await openDatabase("production", { dataDir: "", databaseUrl });
  const body = { url: "https://hooks.example.com" };
  await database.write((query) => createWebhook(operatorContext(query, 0), { body }, RULES));
  sql = new SQL(databaseUrl, { max: 1 });
});
afterEach(async () => {
  await sql.close();
  await database.close();
});

test("a webhook is disabled while its deliveries are being claimed", async () => {
  await sql.unsafe(`INSERT INTO production.delivery
    (webhook_id, type, subject, status, attempts, due_at, created_at) VALUES (1, 'pet.updated', 'pet 1', 'queued', 0, 0, 0)`);
  await sql.unsafe("BEGIN; UPDATE production.delivery SET attempts = 1").simple();
  const disable = { webhookId: 1, body: { status: "disabled" } } as const;
  expect(
    await database.write((query) => updateWebhook(operatorContext(query, 0), disable, RULES)),
  ).toMatchObject(disable.body);
});

test("a worker does not look again at once for a webhook that another transaction has locked", async () => {
  await sql.unsafe(`INSERT INTO production.event (type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data)
    VALUES ('pet.created', 0, 'operator', '', '', '', 1, '{}')`);
  const { prepare } = eventSource({ database, ...RULES });
  await sql.unsafe("BEGIN; SELECT FROM production.webhook FOR UPDATE").simple();
  expect(await prepare(0)).toBe(false);
  await sql.unsafe("ROLLBACK");
  expect(await prepare(0)).toBe(true);
});

test("a delivery made while the server closed the connection is recorded later, and not sent again", async () => {
  const databaseUrl = await freshDatabaseUrl();
  const stage = await openStage({ databaseUrl });
  const stranger = new SQL(databaseUrl, { max: 1 });
  let asked = 0;
  const receiver = createReceiver(() => {
    asked++;
    return 204;
  });
  await stage.addWebhook(receiver.url);
  await stranger.unsafe("BEGIN; LOCK TABLE production.delivery_attempt").simple();
  await stage.call("POST /pets", { name: "x", categoryId: 1 });
  const terminate = () => stranger`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const { clock } = stage.app;
  await until(async () => {
    if (asked === 0) await clock.advance(5);
    return (await terminate()).length > 0;
  });
  const leaseEnd = singleRow(await stage.rows("SELECT due_at FROM delivery", numberColumn("due_at")));
  await stranger.unsafe("COMMIT");
  // Stops the clock before another process could take over the delivery. In production, too, PostgreSQL answers long before that.
  await until(async () => {
    if (clock.now() < leaseEnd - 1_000) await clock.advance(100);
    return (await stage.statuses())["delivered"] === 1;
  });
  expect(asked).toBe(1);
  receiver.stop();
  await stranger.close();
  await stage.close();
});

test("a delivery that a process claimed before it was suspended for the length of the lease is not sent twice", async () => {
  const databaseUrl = await freshDatabaseUrl();
  const stage = await openStage({ databaseUrl });
  const { clock } = stage.app;
  const stranger = new SQL(databaseUrl, { max: 1 });
  let asked = 0;
  const receiver = createReceiver(async () => {
    if (++asked === 1) return 500;
    // If another process could claim the delivery now, the receiver would get a second request.
    await until(
      async () =>
        singleRow(await stage.rows("SELECT due_at FROM delivery", numberColumn("due_at"))) > clock.now(),
    );
    return 204;
  });
  await stage.addWebhook(receiver.url);
  await stage.call("POST /pets", { name: "x", categoryId: 1 });
  await stage.advanceUntil(() => asked === 1);
  await stranger
    .unsafe("BEGIN; LOCK TABLE production.delivery IN SHARE MODE; UPDATE production.delivery SET due_at = 0")
    .simple();
  await until(async () => {
    await clock.advance(1_000);
    const claims = await stranger`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return claims.length > 0;
  });
  await clock.advance(DELIVERY_LEASE_MS);
  await stranger.unsafe("COMMIT");
  await until(async () => {
    await clock.advance(5);
    return (await stage.statuses())["delivered"] === 1;
  });
  expect(asked).toBe(2);
  receiver.stop();
  await stranger.close();
  await stage.close();
});
