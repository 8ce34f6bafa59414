import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { PRUNED_MAX } from "../../src/limits.ts";
import {
  BATCHES_INTERVAL_MS,
  BATCHES_PAUSE_MS,
  batchesOf,
  createMaintenance,
} from "../../src/server/maintenance.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { createTestClock } from "../clock.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";

// PostgreSQL keeps deleted rows while a dump or another old transaction is running. The deletion of old events must not read them
// again whenever it searches for the oldest row.

const BATCHES = 30;
const ROWS = BATCHES * PRUNED_MAX;
/**
 * The maximum number of index entries that are read for each deleted row. Finding a row and checking its conditions reads 1 to 10
 * entries. If each batch had to skip the rows that earlier batches have deleted, the number would be 30 or more.
 */
const READS_MAX = 15;

/** Autovacuum is off, so that PostgreSQL's planner keeps the statistics of the filled tables. */
const FILL = `${["event", "delivery", "delivery_attempt"].map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = off);`).join(" ")}
  INSERT INTO webhook (url, types, status, created_at, secret, last_event_id)
    VALUES ('https://example.com', '[]', 'enabled', 0, '', ${ROWS});
  INSERT INTO event (type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data)
    SELECT 'pet.deleted', 0, 'operator', '', '', '', 1, '{}' FROM generate_series(1, ${ROWS});
  INSERT INTO delivery (webhook_id, event_id, type, subject, status, attempts, created_at)
    SELECT 1, id, 'pet.deleted', 'pet 1', 'queued', 0, 0 FROM event ORDER BY id;
  INSERT INTO delivery_attempt (delivery_id, at, duration) SELECT id::text, 0, 0 FROM delivery ORDER BY id;
  ANALYZE`;

let url: string;
let sql: SQL;
let old: SQL;
beforeAll(async () => {
  url = await freshDatabaseUrl();
  sql = new SQL(url, { max: 1 });
  await sql.unsafe(`SET search_path TO production; ${FILL}`).simple();
  old = new SQL(url, { max: 1 });
  await old.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1").simple();
  await sql.unsafe("UPDATE delivery SET status = 'delivered'").simple();
});
afterAll(() => Promise.all([sql.close(), old.close()]));

/** Returns how many index entries were read for each deleted row, keyed by table. Entries of deleted rows count as well. */
async function readsPerDeletion(): Promise<Readonly<Record<string, number>>> {
  const rows = await sql.unsafe(
    `SELECT relname, (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS i WHERE i.relid = t.relid)::float / n_tup_del AS reads
      FROM pg_stat_user_tables AS t WHERE schemaname = 'production' AND n_tup_del = ${ROWS} ORDER BY relname`,
  );
  return Object.fromEntries(
    rows.map(({ relname, reads }: { relname: string; reads: number }) => [relname, reads]),
  );
}

test("pruning never reads a row again that it has deleted, even while an old snapshot keeps the row", async () => {
  const clock = createTestClock();
  const database = await openDatabase("production", { dataDir: "", databaseUrl: url });
  const resources = new AsyncDisposableStack();
  const maintenance = createMaintenance({ clock, log: { error: console.error }, resources });
  const { store, messages } = batchesOf({ historyDays: 30 });
  maintenance.addBatches(database, [...messages, ...store]);
  maintenance.start();
  await clock.advance(BATCHES_INTERVAL_MS);
  await until(async () => {
    await clock.advance(BATCHES_PAUSE_MS);
    const [{ left }] = await sql`SELECT count(*)::int AS left FROM delivery`;
    return left === 0;
  });
  await resources.disposeAsync();
  // PostgreSQL adds a session's reads to its statistics only when the session ends.
  await database.close();
  await until(async () => Object.keys(await readsPerDeletion()).length === 3);
  for (const [table, reads] of Object.entries(await readsPerDeletion()))
    expect([table, reads, reads < READS_MAX]).toEqual([table, reads, true]);
});
