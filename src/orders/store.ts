import type { Int64 } from "exact-json/int64";
import { type ChangeStatement, changing } from "../events/change.ts";
import { insertion } from "../storage/insertion.ts";
import { createPageStatements } from "../storage/page-statements.ts";
import { flagColumn, int64Column, members, nullable, numberColumn, timeColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { Order } from "./contract.ts";

const decodeOrder = members({
  id: int64Column,
  petId: int64Column,
  quantity: int64Column,
  shipDate: nullable(timeColumn),
  complete: flagColumn,
});

const orderInsertion = insertion(
  "store_order",
  ["pet_id BIGINT", "quantity BIGINT", "ship_date BIGINT", "complete BIGINT"],
  decodeOrder,
);

export const insertOrder = changing("order.placed", orderInsertion);

const COLUMNS = orderInsertion.list;

export const selectOrder: Statement<[id: Int64], Order> = statement(
  `SELECT ${COLUMNS} FROM store_order WHERE id = $1`,
  decodeOrder,
);

export interface OrderFilter {
  readonly petId?: Int64 | undefined;
  readonly complete?: boolean | undefined;
  /** Only orders with an identifier below this one. */
  readonly below: bigint;
}

const pageOf = createPageStatements("store_order", COLUMNS, decodeOrder);

/** A page of orders that match every filter given, newest first. */
export function selectOrderPage({ petId, complete, below }: OrderFilter, limit: number) {
  const filters = [
    ["pet_id", petId],
    ["complete", complete === undefined ? undefined : Number(complete)],
  ] as const;
  return pageOf(filters, below, limit);
}

/** Yields the order if it was open: of two requests at once, one gets it. */
export const completeOpenOrder: ChangeStatement<[id: Int64], Order> = changing(
  "order.completed",
  statement(
    `UPDATE store_order SET complete = 1 WHERE id = $1 AND complete = 0 RETURNING ${COLUMNS}`,
    decodeOrder,
  ),
);

/** Yields the order if it was open, and is gone now. */
export const removeOpenOrder: ChangeStatement<[id: Int64], Order> = changing(
  "order.cancelled",
  statement(`DELETE FROM store_order WHERE id = $1 AND complete = 0 RETURNING ${COLUMNS}`, decodeOrder),
);

/** How many orders are open; counting ends at $1. The order of animals is that of the index on open ones. */
export const countOpenOrders: Statement<[limit: number], number> = statement(
  "SELECT count(*) AS found FROM (SELECT pet_id FROM store_order WHERE complete = 0 ORDER BY pet_id LIMIT CAST($1 AS BIGINT)) AS counted",
  numberColumn("found"),
);

/**
 * Open orders whose ship date is before $1, or whose identifier is below $2, the oldest first. Of the open orders the oldest $3
 * are looked at.
 */
export const selectWaitingOrders: Statement<
  [shipDate: number, below: number, searched: number, limit: number],
  Order
> = statement(
  `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} FROM store_order WHERE complete = 0
        ORDER BY id LIMIT CAST($3 AS BIGINT)) AS range_open
    WHERE ship_date < $1 OR id < $2 ORDER BY id LIMIT CAST($4 AS BIGINT)`,
  decodeOrder,
);
