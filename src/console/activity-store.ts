import {
  decodeEvent,
  type EventFilter,
  type EventRange,
  type StoredEvent,
  selectEventPage,
} from "../events/store.ts";
import { flagColumn, int64Column, members, numberColumn, textColumn } from "../storage/row.ts";
import type { Row, SqlValue, Statement } from "../storage/statement.ts";

const SALE_MS = 60_000; // an order that the same person completes or cancels within this time appears in the activity list as a single sale or undone sale

const other = (types: string) =>
  `SELECT 1 FROM event AS range_other WHERE range_other.pet_id = page_event.pet_id AND range_other.type IN (${types})
    AND range_other.actor_kind = page_event.actor_kind AND range_other.actor_id = page_event.actor_id`;

/**
 * SQL expression that is 1 for an event that the activity list leaves out: a change to an animal that an order caused, or an
 * order that the same person completed or cancelled soon afterwards (the list then shows a sale or an undone sale).
 */
const IS_TOLD = `CASE
    WHEN type = 'pet.updated' AND EXISTS (${other("'order.placed', 'order.completed', 'order.cancelled'")}
      AND range_other.request_id = page_event.request_id AND range_other.created_at = page_event.created_at) THEN 1
    WHEN type = 'order.placed' AND EXISTS (${other("'order.completed', 'order.cancelled'")}
      AND range_other.resource_id = page_event.resource_id
      AND range_other.created_at < page_event.created_at + ${SALE_MS}) THEN 1
    ELSE 0 END`;

/** An event from the log. Its contents are decoded only if they are needed. */
export interface ScannedEvent {
  readonly id: number | bigint;
  readonly type: string;
  /** When the event happened, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The author of the event: `person:1`, `key:key_4aYQ…` or `operator:…`. */
  readonly author: string;
  readonly isTold: boolean;
  readonly read: () => StoredEvent;
}

const decodeHead = members({
  id: int64Column,
  type: textColumn,
  createdAt: numberColumn,
  actorKind: textColumn,
  actorId: textColumn,
  isTold: flagColumn,
});

function decode(row: Row): ScannedEvent {
  const { actorKind, actorId, ...head } = decodeHead(row);
  return { ...head, author: `${actorKind}:${actorId}`, read: () => decodeEvent(row) };
}

/** Selects a page of events, like `selectEventPage`, and marks the events that the activity list leaves out. */
export function selectScannedEvents(
  filter: EventFilter,
  range: Pick<EventRange, "above" | "below">,
  limit: number,
): {
  readonly statement: Statement<readonly SqlValue[], ScannedEvent>;
  readonly values: readonly SqlValue[];
} {
  const { statement, values } = selectEventPage(filter, { order: "desc", ...range }, limit);
  const sql = `SELECT page_event.*, ${IS_TOLD} AS is_told FROM (${statement.sql}) AS page_event ORDER BY id DESC`;
  return { statement: { ...statement, sql, decode }, values };
}
