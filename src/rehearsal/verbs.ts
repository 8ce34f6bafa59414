import { type AuditedStatement, audited, runAudited } from "../accounts/audit/audit.ts";
import { createCategory } from "../categories/verbs.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { insert } from "../events/change.ts";
import { LOG } from "../events/store.ts";
import { DAY_MS } from "../limits.ts";
import { completeOrder, placeOrder } from "../orders/verbs.ts";
import { addPet } from "../pets/store.ts";
import { updatePet } from "../pets/verbs.ts";
import { formatTime } from "../platform/clock.ts";
import { randomBase62 } from "../platform/random.ts";
import type { ResetPart, WholeTables } from "../storage/database.ts";
import { singleRow, textColumn } from "../storage/row.ts";
import { LAST_CATEGORY, REMOVED_EVENTS, writeSetting } from "../storage/setting.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { skipEvents } from "../webhooks/queue-store.ts";
import type { Reset, rehearsalOperations, TestClock } from "./contract.ts";
import { FIXTURES, type Step } from "./fixtures.ts";
import { selectRehearsal } from "./rehearsal.ts";

/** The first and the last time that RFC 3339 can express, in milliseconds since 1970. Years in RFC 3339 have four digits. */
const FIRST_TIME = Date.parse("0000-01-01T00:00:00.000Z");
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
  { parts }: Pick<ResetOptions, "parts">,
): Promise<TestClock> {
  const offsetMs = now === null ? 0 : Date.parse(now) - ctx.now;
  await ctx.query(setClockOffset, [offsetMs]);
  for (const { onClockSet } of parts) if (onClockSet !== undefined) await ctx.query(onClockSet, [offsetMs]);
  return getTestClock(ctx);
}

export interface ResetOptions extends Pick<WholeTables, "empty"> {
  /** The tables that a reset of staging empties, grouped by feature. */
  readonly parts: readonly ResetPart[];
}

const STORE_ID_LENGTH = 11;

/**
 * Deletes all data in staging and replays a fixture, in the transaction of `ctx`. The events of the replayed changes are sent
 * neither to webhooks nor to open streams.
 */
export async function resetStore(
  ctx: Context,
  { body: { fixture } }: Input<typeof rehearsalOperations.resetStore>,
  { empty, parts }: ResetOptions,
): Promise<Reset> {
  const { query, randomBytes } = ctx;
  const storeId = randomBase62(randomBytes, STORE_ID_LENGTH);
  // The webhooks are locked first (by `skipEvents`), and then the events. The code that creates deliveries locks them in the same
  // order, so the two transactions cannot deadlock.
  await query(skipEvents, []);
  const restarting = parts.flatMap((part) => part.restarting ?? []);
  const continuing = parts.flatMap((part) => part.continuing ?? []);
  const removed = await empty(query, { restarting, continuing, log: LOG }, storeId);
  await query(writeSetting, [LAST_CATEGORY, "0"]);
  await query(writeSetting, [REMOVED_EVENTS, String(removed)]);
  const steps = FIXTURES[fixture];
  for (const step of steps) await takeStep(ctx, step);
  await query(skipEvents, []);
  await runAudited(ctx, setStore, [storeId], () => ({ subject: "staging", detail: fixture }));
  const count = (member: string) => steps.filter((step) => member in step).length;
  return { fixture, pets: count("pet"), categories: count("category"), orders: count("orderedPetId") };
}

/** Makes one of a fixture's changes, on behalf of the operator and with a date in the past. */
async function takeStep(ctx: Context, step: Step): Promise<void> {
  const { now, contractNow = now } = ctx;
  const age = Math.round(step.daysAgo * DAY_MS);
  const then: Context = {
    ...ctx,
    actor: { kind: "operator" },
    now: now - age,
    contractNow: Math.max(contractNow - age, FIRST_TIME),
  };
  if ("category" in step) await createCategory(then, { body: step.category });
  else if ("pet" in step) {
    const { name, categoryId, status = null } = step.pet;
    await insert(then, addPet, { name, categoryId, status });
  } else if ("patch" in step) await updatePet(then, { petId: step.petId, body: step.patch });
  else if ("completedOrderId" in step) await completeOrder(then, { orderId: step.completedOrderId });
  else {
    const { orderedPetId: petId, shipsIn } = step;
    const shipDate = shipsIn === null ? null : formatTime(noonIn(shipsIn, contractNow));
    await placeOrder(then, { body: { petId, shipDate } });
  }
}

/** Returns noon (UTC) of the day that is `days` after `now`, in milliseconds since 1970. */
function noonIn(days: number, now: number): number {
  const noon = (Math.floor(now / DAY_MS) + days + 0.5) * DAY_MS;
  return Math.min(Math.max(noon, FIRST_TIME), LAST_TIME);
}

const setClockOffset: Statement<[offsetMs: number]> = statement("UPDATE rehearsal SET clock_offset = $1");

const setStore: AuditedStatement<[storeId: string], string> = audited(
  "store.reset",
  statement("UPDATE rehearsal SET store_id = $1 RETURNING store_id", textColumn("store_id")),
);
