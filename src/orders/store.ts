import type { Int64 } from "exact-json/int64";
import { type ChangeStatement, changesOf } from "../events/change.ts";
import type { ResetPart } from "../storage/database.ts";
import { type ColumnsOf, insertion } from "../storage/insertion.ts";
import { createPageStatements } from "../storage/page-statements.ts";
import {
  flagColumn,
  int64Column,
  members,
  nullable,
  numberColumn,
  optional,
  timeColumn,
} from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { Order } from "./contract.ts";
import { orderEvents } from "./events.ts";

const { changing, inserting } = changesOf(orderEvents);

const decodeOrder = members({
  id: int64Column,
  petId: int64Column,
  quantity: int64Column,
  shipDate: nullable(timeColumn),
  complete: flagColumn,
  createdAt: timeColumn,
  completedAt: optional(timeColumn),
});

const orderInsertion = insertion(
  "store_order",
  {
    petId: "BIGINT",
    quantity: "BIGINT",
    shipDate: "BIGINT",
    complete: "BIGINT",
    createdAt: "BIGINT",
    completedAt: "BIGINT",
  } as const satisfies ColumnsOf<Order>,
  decodeOrder,
);

export const insertOrder = inserting("order.placed", orderInsertion);

export const ORDER_COLUMNS = orderInsertion.list;

export const selectOrder: Statement<[id: Int64], Order> = statement(
  `SELECT ${ORDER_COLUMNS} FROM store_order WHERE id = $1`,
  decodeOrder,
);

export interface OrderFilter {
  readonly petId?: Int64 | undefined;
  readonly complete?: boolean | undefined;
  readonly below: bigint;
}

const pageOf = createPageStatements("store_order", ORDER_COLUMNS, ["pet_id", "complete"], decodeOrder);

export function selectOrderPage({ petId, complete, below }: OrderFilter, limit: number) {
  return pageOf([petId, complete === undefined ? undefined : Number(complete)], below, limit);
}

/** A range of completion times in milliseconds since 1970, from `from` (included) to `before` (not included). */
export type Completed = { readonly from: number; readonly before: number };

const COMPLETED = "FROM store_order WHERE completed_at >= $from AND completed_at < $before" as const;

/** Counts the orders that were completed in a range of time. The count stops at `limit`. */
export const countCompleted: Statement<Completed & { limit: number }, number> = statement(
  `SELECT count(*) AS found FROM (SELECT 1 ${COMPLETED} LIMIT CAST($limit AS BIGINT)) AS page_counted`,
  numberColumn("found"),
);

/** Selects the orders that were completed in a range of time, newest first. The database must sort all orders in the range. */
export const selectCompleted: Statement<Completed & { below: bigint; limit: number }, Order> = statement(
  `SELECT ${ORDER_COLUMNS} FROM store_order WHERE id IN (SELECT id FROM (SELECT id ${COMPLETED}) AS range_completed
        WHERE id < $below ORDER BY id DESC LIMIT CAST($limit AS BIGINT))
      ORDER BY id DESC`,
  decodeOrder,
);

/**
 * Completes an open order. Returns no row if the order is not open. If two requests complete it at the same time, only one of
 * them gets the row.
 */
export const completeOpenOrder: ChangeStatement<[id: Int64, completedAt: number], Order> = changing(
  "order.completed",
  statement(
    `UPDATE store_order SET complete = 1, completed_at = $2 WHERE id = $1 AND complete = 0 RETURNING ${ORDER_COLUMNS}`,
    decodeOrder,
  ),
);

export const removeOpenOrder: ChangeStatement<[id: Int64], Order> = changing(
  "order.cancelled",
  statement(`DELETE FROM store_order WHERE id = $1 AND complete = 0 RETURNING ${ORDER_COLUMNS}`, decodeOrder),
);

export const orderReset: ResetPart = { restarting: ["store_order"] };
