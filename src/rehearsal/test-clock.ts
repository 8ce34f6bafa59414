import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { formatTime } from "../platform/clock.ts";
import { singleRow } from "../storage/row.ts";
import type { rehearsalOperations, TestClock } from "./contract.ts";
import { selectRehearsal } from "./rehearsal.ts";
import { clampRecords, setClockOffset } from "./store.ts";

/** RFC 3339 has four digits for the year. */
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
  await moveClock(ctx, Date.parse(now) - ctx.now);
  return getTestClock(ctx);
}

export async function deleteTestClock(ctx: Context): Promise<undefined> {
  await moveClock(ctx, 0);
}

async function moveClock({ query }: Context, offsetMs: number): Promise<void> {
  await query(setClockOffset, [offsetMs]);
  await query(clampRecords, [offsetMs]);
}
