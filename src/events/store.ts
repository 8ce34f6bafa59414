import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";
import { parseJson } from "../contract/json/json.ts";
import { PRUNED_MAX } from "../limits.ts";
import { appending } from "../storage/insertion.ts";
import type { PageStatement } from "../storage/page-statements.ts";
import {
  bigintColumn,
  enumColumn,
  int64Column,
  members,
  optional,
  textColumn,
  timeColumn,
} from "../storage/row.ts";
import { REMOVED_EVENTS } from "../storage/setting.ts";
import { type Row, type SqlValue, type Statement, statement } from "../storage/statement.ts";
import { EVENT_ACTOR_KINDS, type LoggedEvent } from "./event.ts";

export const LOG = "event";

export const appendEvent = appending(LOG, "petId", {
  petId: "BIGINT",
  resourceId: "BIGINT",
  type: "TEXT",
  createdAt: "BIGINT",
  actorKind: "TEXT",
  actorId: "TEXT",
  actorName: "TEXT",
  requestId: "TEXT",
  data: "TEXT",
  previous: "TEXT",
  traceparent: "TEXT",
});

/** An event as it is stored. Each environment has its own database, so the environment is not stored. */
export interface StoredEvent extends Omit<LoggedEvent, "environment"> {
  /** The animal that the event is about. */
  readonly petId: Int64 | undefined;
}

export function eventIn(
  environment: Environment,
  { petId: _, id, type, createdAt, ...rest }: StoredEvent,
): LoggedEvent {
  return { id, type, createdAt, environment, ...rest };
}

export const EVENT_COLUMNS =
  "id, type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, resource_id, data, previous";

const animalId = int64Column("pet_id");
const resourceId = optional(int64Column)("resource_id");
const jsonColumn = (column: string) => {
  const read = textColumn(column);
  return (row: Row): object => Object(parseJson(read(row)));
};
const contents = jsonColumn("data");

export const decodeEvent: (row: Row) => StoredEvent = members({
  id: int64Column,
  type: textColumn,
  createdAt: timeColumn,
  actor: () =>
    members({
      kind: () => enumColumn(EVENT_ACTOR_KINDS)("actor_kind"),
      id: () => textColumn("actor_id"),
      name: () => textColumn("actor_name"),
    }),
  requestId: textColumn,
  data: () => (row) => ({ id: resourceId(row) ?? animalId(row), ...contents(row) }),
  previous: optional(jsonColumn),
  petId: optional(int64Column),
});

const decodeId = bigintColumn("id");

/**
 * Builds the statements that delete a batch of the oldest events after $2. The batch ends before the first event that was created
 * at $1 or later, or that is still needed. The first statement stores the batch's highest identifier, and the last one returns the
 * deleted identifiers.
 *
 * @param conditions SQL conditions that must all be true of an event before it is deleted; the batch is called `oldest`
 */
export function pruneEvents(
  conditions: readonly string[],
): readonly Statement<[since: number, after: Int64], bigint>[] {
  const isOld = `id < COALESCE((SELECT min(id) FROM oldest WHERE created_at >= $1), ${Number.MAX_SAFE_INTEGER})`;
  const prunable = `WITH oldest AS (SELECT id, created_at FROM event WHERE id > $2 ORDER BY id LIMIT (${PRUNED_MAX})),
    prunable AS (SELECT id FROM oldest WHERE ${[isOld, ...conditions].join(" AND ")})`;
  const storeHighest = `${prunable} INSERT INTO setting (name, value)
      SELECT '${REMOVED_EVENTS}', CAST(max(id) AS TEXT) FROM prunable HAVING count(*) > 0
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  const remove = `${prunable} DELETE FROM event WHERE id IN (SELECT id FROM prunable) RETURNING id`;
  return [storeHighest, remove].map((sql) => ({ sql, decode: decodeId }));
}

export interface EventFilter {
  /** Includes only events of these types, or events of all types if it is left out. */
  readonly types?: readonly string[] | undefined;
  /** Includes only events about the animal with this identifier, or all events if it is left out. */
  readonly petId?: Int64 | undefined;
}

/** Range of a page of events: between two positions, in ascending or descending order. */
export interface EventRange {
  readonly order: "asc" | "desc";
  readonly above: bigint;
  readonly below: bigint;
}

/**
 * Cached statements, keyed by the shape of their filter. They are the same for every store, and there are at most four for each
 * number of types.
 */
const statements = new Map<string, PageStatement<StoredEvent>>();

export function selectEventPage(
  { types: ranges = [], petId }: EventFilter,
  { order, above, below }: EventRange,
  limit: number,
) {
  // One index orders the events of each type, and another orders the events of each animal and type. A page can therefore span
  // several index ranges, which are merged.
  const name = `${order} ${ranges.length} ${petId === undefined}`;
  let statement = statements.get(name);
  if (statement === undefined) {
    const sql = pageSql(order, ranges.length, petId !== undefined);
    // Events are always read from the primary database. The end of the log was read there before, and a standby may not yet have
    // all events up to that end.
    statement = { sql, decode: decodeEvent, isOfPrimary: true };
    statements.set(name, statement);
  }
  const values: SqlValue[] = [...(petId === undefined ? [] : [petId]), ...ranges, above, below, limit];
  return { statement, values };
}

function pageSql(order: EventRange["order"], ranges: number, isOfPet: boolean): string {
  const firstType = isOfPet ? 2 : 1;
  const above = firstType + ranges;
  const page = `ORDER BY id${order === "asc" ? "" : " DESC"} LIMIT CAST($${above + 2} AS BIGINT)`;
  const rangeSql = (condition: string) =>
    `SELECT ${EVENT_COLUMNS} FROM event WHERE ${condition}id > $${above} AND id < $${above + 1} ${page}`;
  if (ranges === 0) return rangeSql("");
  const all = Array.from({ length: ranges }, (_, index) =>
    rangeSql(`${isOfPet ? "pet_id = $1 AND " : ""}type = $${firstType + index} AND `),
  );
  if (all.length === 1) return all.join();
  // Each range has its own limit. Without these limits, a query planner may read and sort whole ranges.
  const rows = all.map((sql, index) => `SELECT ${EVENT_COLUMNS} FROM (${sql}) AS range_${index}`);
  return `${rows.join(" UNION ALL ")} ${page}`;
}

/**
 * Selects the log's end: every event with this identifier or a lower one is already visible. A later statement reads events only up
 * to this identifier. The identifier is 0 before the first event, and the highest deleted identifier after all events have been
 * deleted.
 */
export const selectLogEnd: Statement<[], bigint> = {
  ...statement("SELECT id FROM event_end", decodeId),
  isOfPrimary: true,
  isShared: true,
};

/** Selects the highest identifier of a deleted event. Returns no row if none has been deleted. */
export const selectRemoved: Statement<[], bigint> = {
  ...statement(`SELECT CAST(value AS BIGINT) AS id FROM setting WHERE name = '${REMOVED_EVENTS}'`, decodeId),
  isOfPrimary: true,
};
