import type { Int64 } from "exact-json/int64";
import type { PageStatement } from "../storage/page-statements.ts";
import { int64Column, optional } from "../storage/row.ts";
import { type Row, type SqlValue, type Statement, statement } from "../storage/statement.ts";
import { ANIMAL_EVENT_TYPES, type EventType } from "./event.ts";
import { decodeEvent, EVENT_COLUMNS, type StoredEvent } from "./store.ts";

export interface EventFilter {
  /** Any of them; left out, all. */
  readonly types?: readonly EventType[] | undefined;
  /** Of this animal and of its orders. */
  readonly petId?: Int64 | undefined;
}

/** Which events a page has, after the filter: those behind a position, the next one first. */
interface EventRange {
  readonly order: "asc" | "desc";
  readonly after: bigint;
}

const statements = new Map<string, PageStatement<StoredEvent>>();

/** A page of events that match the filter. */
export function selectEventPage({ types, petId }: EventFilter, { order, after }: EventRange, limit: number) {
  // An index has each type's events in their order, and those of each animal by type: several ranges are merged.
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
  // Each range has a limit of its own: without one, a planner may read all of it to sort it.
  const rows = all.map((sql, index) => `SELECT ${EVENT_COLUMNS} FROM (${sql}) AS range_${index}`);
  return `${rows.join(" UNION ALL ")} ${page}`;
}

/**
 * The identifier of the oldest event that is kept. Without any, 0; after a reset, that of the first that may come, for a reader
 * that knows earlier ones.
 */
export const selectOldestEventId: Statement<[known: bigint], bigint> = statement(
  "SELECT COALESCE((SELECT min(id) FROM event), (SELECT last_event_id + 1 FROM rehearsal WHERE only_row = 1 AND last_event_id > 0 AND CAST($1 AS BIGINT) > 0)) AS id",
  decodeEnd,
);

/** The identifier of the newest event. Without any, 0; after a reset, that from which the log goes on. */
export const selectNewestEventId: Statement<[], bigint> = statement(
  "SELECT COALESCE((SELECT max(id) FROM event), (SELECT last_event_id FROM rehearsal WHERE only_row = 1)) AS id",
  decodeEnd,
);

function decodeEnd(row: Row): bigint {
  return BigInt(optional(row, "id", int64Column) ?? 0);
}
