import { expect, test } from "bun:test";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { textColumn } from "../../src/storage/row.ts";
import { noRows, type SqlValue, type Statement } from "../../src/storage/statement.ts";
import { claimDeliveries, deliveryQueue, dueNext, dueOldest } from "../../src/webhooks/queue-store.ts";
import { onEachEngine } from "../test-app.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// The SQL statements of the delivery queue must read their indexes in order. This must hold on a store without statistics, and also
// with the statistics of an empty queue.

const ROWS = 2_000;
const add = (
  status: string,
) => `INSERT INTO delivery (webhook_id, event_id, type, subject, status, attempts, created_at)
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
  SELECT 1, n, 'pet.updated', 'pet ' || n % 100, '${status}', 0, n FROM numbers`;
const WEBHOOK = `INSERT INTO webhook (url, types, status, created_at, secret, last_event_id)
  VALUES ('https://example.com', '[]', 'enabled', 0, '', 0)`;

/** Returns the steps of a statement's query plan. Uses the same database connections as the statement itself. */
async function planOf<Values extends readonly SqlValue[]>(
  database: Database,
  isEmbedded: boolean,
  { sql }: Statement<Values, unknown>,
  values: NoInfer<Values>,
): Promise<readonly string[]> {
  return isEmbedded
    ? database.read<Values, string>(
        { sql: `EXPLAIN QUERY PLAN ${sql}`, decode: textColumn("detail") },
        values,
      )
    : database.run<Values, string>({ sql: `EXPLAIN ${sql}`, decode: textColumn("QUERY PLAN") }, values);
}

onEachEngine((settings) => {
  for (const statistics of ["no statistics", "the statistics of an empty queue"])
    test(`with ${statistics}, an animal's oldest delivery is found by one index lookup, and no statement sorts a queue`, async () => {
      const { dataDir } = await freshEmbeddedStore();
      const { databaseUrl } = await settings();
      const isEmbedded = databaseUrl === undefined;
      const database = await openDatabase("production", { dataDir, databaseUrl });
      const run = (sql: string) => database.run({ sql, decode: noRows }, []);
      if (!isEmbedded) await run("ALTER TABLE delivery SET (autovacuum_enabled = off)");
      await run(WEBHOOK);
      if (statistics !== "no statistics") {
        await run(add("delivered"));
        await run(isEmbedded ? "ANALYZE" : "ANALYZE production.delivery");
      }
      await run(add("queued"));
      const plans = await Promise.all([
        planOf(database, isEmbedded, dueOldest, [1, 1, 0]),
        planOf(database, isEmbedded, dueNext, [1, "pet 1", 0]),
        planOf(database, isEmbedded, claimDeliveries(database.locks.claim), [0, 0, 16, 1]),
        planOf(database, isEmbedded, deliveryQueue.nextDue, []),
      ]);
      await database.close();
      const probe = isEmbedded
        ? /^SEARCH first USING COVERING INDEX delivery_by_subject \(webhook_id=\? AND subject=\?\)/
        : /Index Only Scan using delivery_by_subject on delivery first/;
      for (const plan of plans.slice(0, 2)) expect(plan.filter((step) => probe.test(step))).toHaveLength(1);
      const whole = /Seq Scan|Bitmap|\bSort\b|delivery_of_event|SCAN delivery|SCAN page_queue|TEMP B-TREE/;
      expect(plans.flat().filter((step) => whole.test(step))).toEqual([]);
    });
});
