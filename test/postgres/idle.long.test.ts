import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { FEED_HEARTBEAT_MS } from "../../src/limits.ts";
import { startProcess } from "../wire/process.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// Counts the statements that idle processes send to PostgreSQL. On a busy machine they may send fewer, but never more. The limits are
// for the time that has passed on PostgreSQL's clock, because the test itself may be late.

const WATCHED_MS = 20_000;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres({ settings: ["shared_preload_libraries=pg_stat_statements"] });
});
afterAll(() => postgres.remove());

interface Idle {
  readonly milliseconds: number;
  readonly heartbeats: number;
  readonly others: number;
  readonly listeners: number;
}

/**
 * Starts services that get no requests, and counts the statements that they send within about `WATCHED_MS`. Each service has
 * `processes` processes.
 */
async function watchIdle(services: number, processes: number): Promise<Idle> {
  const sql = new SQL(postgres.url, { max: 1 });
  await sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`;
  const dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
  const store = { dataDir, settings: { PETSTORE_DATABASE_URL: postgres.url } };
  const env = { PETSTORE_PROCESSES: String(processes) };
  const servers = await Promise.all(Array.from({ length: services }, () => startProcess({ store, env })));
  await sql`SELECT pg_stat_statements_reset()`;
  await Bun.sleep(WATCHED_MS);
  const [counted] = await sql`
    SELECT (extract(epoch FROM clock_timestamp() - (SELECT stats_reset FROM pg_stat_statements_info)) * 1000)::int AS milliseconds,
      coalesce(sum(calls) FILTER (WHERE query LIKE '%petstore_heartbeat%' OR query LIKE '%pg_notify%'), 0)::int AS heartbeats,
      coalesce(sum(calls) FILTER (WHERE query NOT LIKE '%petstore_heartbeat%' AND query NOT LIKE '%pg_%'), 0)::int AS others,
      (SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%LISTEN "petstore_%' AND pid <> pg_backend_pid()) AS listeners
    FROM pg_stat_statements`;
  await Promise.all(servers.map((server) => server.stop()));
  await sql.close();
  return counted;
}

/**
 * The maximum number of polling statements per process. Each of five loops polls every 15 s. The loop for messages sends two
 * statements each time. In each environment, the loop for unnumbered events and the loop for webhooks send one statement each.
 */
const looksMax = ({ milliseconds }: Idle) => 6 * Math.ceil(milliseconds / 15_000);

/**
 * The maximum number of heartbeat statements. Each heartbeat consists of a LISTEN and an UNLISTEN. The first heartbeat may have begun
 * before the statements were counted.
 */
const heartbeatsMax = ({ milliseconds }: Idle) => 2 * (1 + Math.ceil(milliseconds / FEED_HEARTBEAT_MS));

describe("idle processes", () => {
  test("of one supervisor share one heartbeat and one listening connection", async () => {
    const six = await watchIdle(1, 6);
    console.log(`six idle processes of one supervisor: ${JSON.stringify(six)}`);
    expect(six.listeners).toBe(1);
    expect(six.heartbeats).toBeGreaterThan(0);
    expect(six.heartbeats).toBeLessThanOrEqual(heartbeatsMax(six));
    expect(six.others).toBeLessThanOrEqual(6 * looksMax(six));
  });

  test("without a supervisor have one each, which wakes no other process", async () => {
    const three = await watchIdle(3, 1);
    console.log(`three idle processes: ${JSON.stringify(three)}`);
    expect(three.listeners).toBe(3);
    expect(three.heartbeats).toBeLessThanOrEqual(3 * heartbeatsMax(three));
    expect(three.others).toBeLessThanOrEqual(3 * looksMax(three));
  });
});
