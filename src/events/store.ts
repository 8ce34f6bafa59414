import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";
import { parseJson } from "../contract/json/json.ts";
import { NUMBERED_MAX, PRUNED_MAX } from "../limits.ts";
import { appending } from "../storage/insertion.ts";
import type { PageStatement } from "../storage/page-statements.ts";
import { enumColumn, int64Column, members, optional, textColumn, timeColumn } from "../storage/row.ts";
import { noRows, type Row, type SqlValue, type Statement, statement } from "../storage/statement.ts";
import {
  ANIMAL_EVENT_TYPES,
  EVENT_ACTOR_KINDS,
  EVENT_TYPES,
  type EventType,
  type LoggedEvent,
} from "./event.ts";

const COMMON = [
  "type TEXT",
  "created_at BIGINT",
  "actor_kind TEXT",
  "actor_id TEXT",
  "actor_name TEXT",
  "request_id TEXT",
  "data TEXT",
  "previous TEXT",
  "traceparent TEXT",
] as const;

export const LOG = "event";

export const appendEvent = appending(LOG, ["pet_id BIGINT", "resource_id BIGINT", ...COMMON]);
/** SQL that appends an event to the log, in one statement with the insertion of its animal. */
export const appendPetEvent = appending(LOG, ["pet_id BIGINT", ...COMMON]);

/** An event without its environment: each environment has a database of its own. */
export type StoredEvent = Omit<LoggedEvent, "environment">;

export function eventIn(
  environment: Environment,
  { id, type, createdAt, ...rest }: StoredEvent,
): LoggedEvent {
  return { id, type, createdAt, environment, ...rest };
}

export const EVENT_COLUMNS =
  "id, type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, resource_id, data, previous";

const petId = int64Column("pet_id");
const resourceId = optional(int64Column)("resource_id");
const jsonColumn = (column: string) => {
  const read = textColumn(column);
  return (row: Row): object => Object(parseJson(read(row)));
};
const contents = jsonColumn("data");

export const decodeEvent: (row: Row) => StoredEvent = members({
  id: int64Column,
  type: enumColumn(EVENT_TYPES),
  createdAt: timeColumn,
  actor: () =>
    members({
      kind: () => enumColumn(EVENT_ACTOR_KINDS)("actor_kind"),
      id: () => textColumn("actor_id"),
      name: () => textColumn("actor_name"),
    }),
  requestId: textColumn,
  data: () => (row) => ({ id: resourceId(row) ?? petId(row), ...contents(row) }),
  previous: optional(jsonColumn),
});

const FIRST_QUEUED = `SELECT * FROM event_queue ORDER BY id LIMIT (${NUMBERED_MAX})`;
const APPENDED = appendEvent.columns.map(([name]) => name).join(", ");

/** Selects a queued event, which has no number yet; no row if all events have one. */
export const selectQueued: Statement<[]> = statement("SELECT id FROM event_queue LIMIT 1");

/** Copies a batch of queued events to the log, numbered in the order of their insertion by a single writer. */
export const moveQueued: Statement<[]> = {
  sql: `INSERT INTO event (${APPENDED}) SELECT ${APPENDED} FROM (${FIRST_QUEUED}) AS first ORDER BY first.id`,
  decode: noRows,
};

export const dropQueued: Statement<[]> = {
  sql: `DELETE FROM event_queue WHERE id IN (SELECT id FROM (${FIRST_QUEUED}) AS first) RETURNING id`,
  decode: noRows,
};

const QUEUED = "delivery WHERE status = 'queued' AND event_id IS NOT NULL";

/**
 * Deletes the oldest events, up to the first one that is from `since` or later, still to be delivered, or not yet read for
 * an enabled webhook. The newest event always stays: the next number follows from it.
 */
export const pruneEvents: Statement<[since: number]> = statement(
  `WITH oldest AS (SELECT id, created_at FROM event ORDER BY id LIMIT (${PRUNED_MAX}))
    DELETE FROM event WHERE id IN (SELECT id FROM oldest) AND id < (SELECT max(id) FROM event)
      AND id < COALESCE((SELECT min(id) FROM oldest WHERE created_at >= $1), ${Number.MAX_SAFE_INTEGER})
      AND id < COALESCE((SELECT min(event_id) FROM ${QUEUED}), ${Number.MAX_SAFE_INTEGER})
      AND id <= COALESCE((SELECT min(last_event_id) FROM webhook WHERE status = 'enabled'), ${Number.MAX_SAFE_INTEGER})
    RETURNING id`,
);

export interface EventFilter {
  /** Types of the events to include; left out, all types. */
  readonly types?: readonly EventType[] | undefined;
  /** Identifier of an animal, to include only its events and its orders'; left out, all events. */
  readonly petId?: Int64 | undefined;
}

/** Range of a page of events: those after a position, in ascending or descending order. */
interface EventRange {
  readonly order: "asc" | "desc";
  readonly after: bigint;
}

const statements = new Map<string, PageStatement<StoredEvent>>();

export function selectEventPage({ types, petId }: EventFilter, { order, after }: EventRange, limit: number) {
  // An index orders the events of each type, another those of each animal by type: several ranges are merged.
  const ranges = types ?? (petId === undefined ? [] : ANIMAL_EVENT_TYPES);
  const name = `${order} ${ranges.length} ${petId === undefined}`;
  let statement = statements.get(name);
  if (statement === undefined) {
    statement = { sql: pageSql(order, ranges.length, petId !== undefined), decode: decodeEvent };
    statements.set(name, statement);
  }
  const values: SqlValue[] = [...(petId === undefined ? [] : [petId]), ...ranges, after, limit];
  return { statement, values };
}

function pageSql(order: EventRange["order"], ranges: number, isOfPet: boolean): string {
  const [comparison, direction] = order === "asc" ? [">", ""] : ["<", " DESC"];
  const firstType = isOfPet ? 2 : 1;
  const after = firstType + ranges;
  const page = `ORDER BY id${direction} LIMIT CAST($${after + 1} AS BIGINT)`;
  const rangeSql = (condition: string) =>
    `SELECT ${EVENT_COLUMNS} FROM event WHERE ${condition}id ${comparison} $${after} ${page}`;
  if (ranges === 0) return rangeSql("");
  const all = Array.from({ length: ranges }, (_, index) =>
    rangeSql(`${isOfPet ? "pet_id = $1 AND " : ""}type = $${firstType + index} AND `),
  );
  if (all.length === 1) return all.join();
  // A limit for each range: without one, a planner may read and sort all of it.
  const rows = all.map((sql, index) => `SELECT ${EVENT_COLUMNS} FROM (${sql}) AS range_${index}`);
  return `${rows.join(" UNION ALL ")} ${page}`;
}

/** Selects the oldest event's identifier, 0 without any; after a reset, for a position above 0, the next event's. */
export const selectOldestEventId: Statement<[known: bigint], bigint> = statement(
  "SELECT COALESCE((SELECT min(id) FROM event), (SELECT last_event_id + 1 FROM rehearsal WHERE only_row = 1 AND last_event_id > 0 AND CAST($1 AS BIGINT) > 0)) AS id",
  decodeEnd,
);

const NEWEST_ID =
  "SELECT COALESCE((SELECT max(id) FROM event), (SELECT last_event_id FROM rehearsal WHERE only_row = 1))";

/** Identifier of the newest event. Without any event 0; after a reset, the one from which the log continues. */
export const selectNewestEventId: Statement<[], bigint> = statement(`${NEWEST_ID} AS id`, decodeEnd);

/** The log's end, with the events that have no number yet: a standby may show their numbers before the primary does. */
export const selectLogEnd: Statement<[], bigint> = statement(
  `${NEWEST_ID} + (SELECT count(*) FROM event_queue) AS id`,
  decodeEnd,
);

const eventId = optional(int64Column)("id");

function decodeEnd(row: Row): bigint {
  return BigInt(eventId(row) ?? 0);
}
