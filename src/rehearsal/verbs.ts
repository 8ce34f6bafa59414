import { type AuditedStatement, audited, change } from "../accounts/audit/audit.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { IDEMPOTENCY_INTERVAL_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Emptied, Query, WholeTables } from "../storage/database.ts";
import { singleRow, textColumn } from "../storage/row.ts";
import { LAST_CATEGORY, REMOVED_EVENTS, writeSetting } from "../storage/setting.ts";
import { noRows, type SqlValue, type Statement, statement } from "../storage/statement.ts";
import type { Reset, rehearsalOperations, TestClock } from "./contract.ts";
import { FIXTURES } from "./fixtures.ts";
import { selectRehearsal } from "./rehearsal.ts";

/** Latest time in RFC 3339, whose years have four digits; in milliseconds since 1970. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export async function getTestClock({ query, now }: Context): Promise<TestClock> {
  const { offsetMs } = singleRow(await query(selectRehearsal, []));
  return {
    now: formatTime(Math.min(now + offsetMs, LAST_TIME)),
    realNow: formatTime(now),
    moved: offsetMs !== 0,
  };
}

export async function setTestClock(
  ctx: Context,
  { body: { now } }: Input<typeof rehearsalOperations.setTestClock>,
): Promise<TestClock> {
  const offsetMs = now === null ? 0 : Date.parse(now) - ctx.now;
  await ctx.query(setClockOffset, [offsetMs]);
  await ctx.query(clampRecords, [offsetMs]);
  return getTestClock(ctx);
}

/** Tables that a reset empties. Numbers of events and deliveries continue: receivers recognize repeats by `webhook-id`. */
const EMPTIED: Emptied = {
  restarting: ["pet", "category", "store_order"],
  continuing: ["delivery_attempt", "delivery", "idempotency_record", "simulation"],
  log: "event",
};

export type Emptying = Pick<WholeTables, "empty">;

const STORE_ID_LENGTH = 11;

/** Empties staging and inserts a fixture, in the transaction of `ctx`. */
export async function resetStore(
  ctx: Context,
  { body: { fixture } }: Input<typeof rehearsalOperations.resetStore>,
  { empty }: Emptying,
): Promise<Reset> {
  const { query, randomBytes, now, contractNow = now } = ctx;
  const storeId = randomBase62(randomBytes, STORE_ID_LENGTH);
  const removed = await empty(query, EMPTIED, storeId);
  const { categories, pets, orders } = FIXTURES[fixture];
  await insertRows(
    query,
    "category",
    ["id", "name", "description", "created_at"],
    categories.map((category, index) => [index + 1, ...category, now]),
  );
  await query(writeSetting, [LAST_CATEGORY, String(categories.length)]);
  await query(writeSetting, [REMOVED_EVENTS, String(removed)]);
  await insertRows(query, "pet", ["name", "category_id", "status"], pets);
  await insertRows(
    query,
    "store_order",
    ["pet_id", "quantity", "ship_date", "complete", "created_at", "completed_at"],
    orders.map((order) => [...order, contractNow, order[3] === 1 ? contractNow : null]),
  );
  await change(ctx, setStore, [storeId], () => ({ subject: "staging", detail: fixture }));
  return { fixture, pets: pets.length, categories: categories.length, orders: orders.length };
}

const setClockOffset: Statement<[offsetMs: number]> = statement("UPDATE rehearsal SET clock_offset = $1");

const ELAPSED = "COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE name = 'elapsed'), 0) + $1";

/** Sets future idempotency records back, which the clock would reach only later. Processes' counters differ by minutes. */
const clampRecords: Statement<[offsetMs: number]> = statement(
  `UPDATE idempotency_record SET created_at = ${ELAPSED} WHERE created_at > ${ELAPSED} + ${2 * IDEMPOTENCY_INTERVAL_MS}`,
);

const setStore: AuditedStatement<[storeId: string], string> = audited(
  "store.reset",
  statement("UPDATE rehearsal SET store_id = $1 RETURNING store_id", textColumn("store_id")),
);

/** Inserts rows with identifiers in order, without events. */
async function insertRows(
  query: Query,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
) {
  if (rows.length === 0) return;
  const places = rows.map(
    (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(", ")})`,
  );
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${places.join(", ")}`;
  const insertion: Statement<readonly SqlValue[]> = { sql, decode: noRows };
  await query(insertion, rows.flat());
}
