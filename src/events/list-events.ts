import type { Int64 } from "exact-json/int64";
import type { Actor, Context, Environment } from "../context.ts";
import { readPage, readPageBy, scopeEndOf } from "../contract/cursor.ts";
import type { Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { EventType, LoggedEvent } from "./event.ts";
import {
  eventIn,
  LOG,
  selectEventPage,
  selectLogEnd,
  selectNewestEventId,
  selectOldestEventId,
} from "./store.ts";

interface EventsInput {
  readonly petId: Int64 | undefined;
  readonly type: readonly EventType[] | undefined;
  readonly order: "asc" | "desc" | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A page of events. @throws ServiceError `cursor_expired` if events after the cursor have been deleted */
export function listEvents(ctx: Context, input: EventsInput): Maybe<Page<LoggedEvent>> {
  if (input.order === "asc") return listFromOldest(ctx, input);
  return readPage(ctx, input, scopeOf(ctx, input), (below, count) => readEvents(ctx, input, below, count));
}

async function listFromOldest(ctx: Context, input: EventsInput): Promise<Page<LoggedEvent>> {
  // Read before the events: later ones have higher identifiers.
  const end = singleRow(await ctx.query(selectNewestEventId, []));
  return readPageBy(
    [...scopeOf(ctx, input), ...scopeEndOf(ctx).slice(1)],
    input,
    ({ id }) => positionAt(BigInt(id)),
    async ({ position }, count) => {
      const events = await readEvents(ctx, input, position, count);
      if (input.cursor !== undefined) await requireKept(ctx.query, position);
      return events;
    },
    { first: positionAt(0n), end: positionAt(end) },
  );
}

/**
 * Checks, after the events following a position were read, that none of them was deleted before. Returns the identifier of
 * the oldest event, as `selectOldestEventId` does.
 *
 * @throws ServiceError `cursor_expired` if the next event may have been deleted before the read
 */
export async function requireKept(query: Query, after: bigint): Promise<bigint> {
  const oldest = singleRow(await query(selectOldestEventId, [after]));
  if (oldest <= after + 1n) return oldest;
  throw cursorExpired();
}

/**
 * Checks that some process may have given a position as an event's id: it is neither above the log's end nor above what the
 * engine has assigned, at the primary.
 *
 * @throws ServiceError `invalid_request`
 */
export async function requireGiven(
  { read, wholeTables }: Pick<Database, "read" | "wholeTables">,
  after: bigint,
): Promise<void> {
  const end = singleRow(await read(selectLogEnd, []));
  const assigned = (await wholeTables.nextId(LOG)) - 1n;
  const highest = end > assigned ? end : assigned;
  if (after <= highest) return;
  throw new ServiceError(
    "invalid_request",
    `Last-Event-ID must be the id of an event; the highest so far is ${highest}.`,
  );
}

export function cursorExpired(): ServiceError {
  return new ServiceError(
    "cursor_expired",
    "Events after this cursor have been deleted. Read the animals and orders, then follow without a cursor.",
  );
}

function readEvents(
  { actor, query }: Context,
  { order = "desc", type: types, petId }: EventsInput,
  after: bigint,
  count: number,
): Maybe<readonly LoggedEvent[]> {
  const { statement, values } = selectEventPage({ types, petId }, { order, after }, count);
  const environment = environmentOf(actor);
  return andThen(query(statement, values), (events) => events.map((event) => eventIn(environment, event)));
}

function scopeOf({ actor }: Context, { order = "desc", type: types, petId }: EventsInput) {
  return ["listEvents", order, types, petId, environmentOf(actor)] as const;
}

function positionAt(position: bigint) {
  return { position, text: "" };
}

/** The actor's environment. @throws TypeError for the operator, who belongs to none */
function environmentOf(actor: Actor): Environment {
  if (actor.kind === "operator") throw new TypeError("Events are read in an environment.");
  return actor.environment;
}
