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

/** An event as it is stored. The environment is not stored, because each environment has its own database. */
export interface StoredEvent extends Omit<LoggedEvent, "environment"> {
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
 * Builds two statements that delete a batch of the oldest events after $2. The first statement stores the highest identifier in the
 * batch, and the second one deletes the events and returns their identifiers. The batch ends before the first event that is still
 * needed, or was created at $1 or later.
 *
 * @param conditions SQL conditions that must all hold for an event to be deleted; in SQL, the batch is called `oldest`
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
  /** The types of the events to return. Absent for events of all types. */
  readonly types?: readonly string[] | undefined;
  /** The animal whose events to return. Absent for all events. */
  readonly petId?: Int64 | undefined;
}

/** The range of a page of events: between two positions, in ascending or descending order. */
export interface EventRange {
  readonly order: "asc" | "desc";
  readonly above: bigint;
  readonly below: bigint;
}

/**
 * Cached statements, which all stores share. The key consists of the order, the number of types in the filter, and whether the
 * filter names an animal.
 */
const statements = new Map<string, PageStatement<StoredEvent>>();

export function selectEventPage(
  { types: ranges = [], petId }: EventFilter,
  { order, above, below }: EventRange,
  limit: number,
) {
  // One index contains the events of each type in order, and another contains the events of each animal and type. If the filter has
  // several types, the page is therefore merged from several ranges of an index.
  const name = `${order} ${ranges.length} ${petId === undefined}`;
  let statement = statements.get(name);
  if (statement === undefined) {
    const sql = pageSql(order, ranges.length, petId !== undefined);
    // Events are always read from the primary. The end of the log was read there, and a standby may lack the newest events.
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
  // Each range of the index has its own limit. Otherwise, the database might read and sort whole ranges.
  const rows = all.map((sql, index) => `SELECT ${EVENT_COLUMNS} FROM (${sql}) AS range_${index}`);
  return `${rows.join(" UNION ALL ")} ${page}`;
}

/**
 * Selects the position of the log's end. All events up to this position are already visible, and later statements do not read
 * further. Before the first event, the position is 0. When all events have been deleted, it is the highest deleted identifier.
 */
export const selectLogEnd: Statement<[], bigint> = {
  ...statement("SELECT id FROM event_end", decodeId),
  isOfPrimary: true,
  isShared: true,
};

/** Selects the highest identifier among the deleted events. Returns no row if no event has been deleted. */
export const selectRemoved: Statement<[], bigint> = {
  ...statement(`SELECT CAST(value AS BIGINT) AS id FROM setting WHERE name = '${REMOVED_EVENTS}'`, decodeId),
  isOfPrimary: true,
};
