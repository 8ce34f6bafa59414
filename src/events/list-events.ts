import type { Int64 } from "exact-json/int64";
import type { Actor, Context, Environment } from "../context.ts";
import { readPage, readPageBy, scopeEndOf } from "../contract/cursor.ts";
import type { Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { LoggedEvent } from "./event.ts";
import {
  type EventFilter,
  type EventRange,
  eventIn,
  LOG,
  selectEventPage,
  selectLogEnd,
  selectRemoved,
} from "./store.ts";

interface EventsInput {
  readonly petId: Int64 | undefined;
  readonly type: readonly string[] | undefined;
  readonly order: "asc" | "desc" | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Returns a page of the events that match `filter`.
 *
 * @throws ServiceError `cursor_expired` if events after the cursor have been deleted
 */
export function listEvents(ctx: Context, input: EventsInput, filter: EventFilter): Maybe<Page<LoggedEvent>> {
  // The end of the log is read before the events. Events that are added in the meantime have higher identifiers, so they are not in
  // the page.
  return andThen(ctx.query(selectLogEnd, []), (rows) => {
    const end = singleRow(rows);
    return input.order === "asc"
      ? listFromOldest(ctx, input, filter, end)
      : listFromNewest(ctx, input, filter, end);
  });
}

function listFromNewest(
  ctx: Context,
  input: EventsInput,
  filter: EventFilter,
  end: bigint,
): Maybe<Page<LoggedEvent>> {
  return readPage(ctx, input, scopeOf(ctx, input), (cursor, count) => {
    const below = cursor <= end ? cursor : end + 1n;
    return readEvents(ctx, filter, { order: "desc", above: 0n, below }, count);
  });
}

function listFromOldest(
  ctx: Context,
  input: EventsInput,
  filter: EventFilter,
  end: bigint,
): Maybe<Page<LoggedEvent>> {
  return readPageBy(
    [...scopeOf(ctx, input), ...scopeEndOf(ctx).slice(1)],
    input,
    ({ id }) => positionAt(BigInt(id)),
    async ({ position: above }, count) => {
      const events = await readEvents(ctx, filter, { order: "asc", above, below: end + 1n }, count);
      if (input.cursor !== undefined) await requireKept(ctx.query, above);
      return events;
    },
    { first: positionAt(0n), end: positionAt(end) },
  );
}

/** Returns the newest event of each animal, among events of the given types. */
export async function newestEvents(
  ctx: Context,
  petIds: readonly Int64[],
  types: readonly string[],
): Promise<readonly LoggedEvent[]> {
  const below = singleRow(await ctx.query(selectLogEnd, [])) + 1n;
  const range = { order: "desc", above: 0n, below } as const;
  const newest = await Promise.all(petIds.map((petId) => readEvents(ctx, { petId, types }, range, 1)));
  return newest.flat();
}

/**
 * Checks that no event after a position has been deleted. Call this after reading the events, so that it also notices a deletion
 * that happened while they were read.
 *
 * @throws ServiceError `cursor_expired` if an event after the position has been deleted
 */
export async function requireKept(query: Query, after: bigint): Promise<void> {
  const [removed = 0n] = await query(selectRemoved, []);
  if (removed > after) throw cursorExpired();
}

/**
 * Checks that a position is not above the last identifier that any process has assigned to an event. @throws ServiceError
 * `invalid_request`
 */
export async function requireAssigned(
  { nextId }: Pick<Database["wholeTables"], "nextId">,
  position: bigint,
): Promise<void> {
  const highest = (await nextId(LOG)) - 1n;
  if (position >= 0n && position <= highest) return;
  throw new ServiceError(
    "invalid_request",
    `Last-Event-ID must be the id of an event. The highest id so far is ${highest}.`,
  );
}

export function cursorExpired(): ServiceError {
  return new ServiceError(
    "cursor_expired",
    "Events after this cursor have been deleted. Read all animals and orders, then read events without a cursor.",
  );
}

function readEvents(
  { actor, query }: Context,
  filter: EventFilter,
  range: EventRange,
  count: number,
): Maybe<readonly LoggedEvent[]> {
  const { statement, values } = selectEventPage(filter, range, count);
  const environment = environmentOf(actor);
  return andThen(query(statement, values), (events) => events.map((event) => eventIn(environment, event)));
}

function scopeOf({ actor }: Context, { order = "desc", type: types, petId }: EventsInput) {
  return ["listEvents", order, types, petId, environmentOf(actor)] as const;
}

function positionAt(position: bigint) {
  return { position, text: "" };
}

/** Returns the actor's environment. @throws TypeError for the operator, who belongs to no environment */
function environmentOf(actor: Actor): Environment {
  if (actor.kind === "operator")
    throw new TypeError("The operator belongs to no environment, so there are no events to read.");
  return actor.environment;
}
