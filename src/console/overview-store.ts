import type { Int64 } from "exact-json/int64";
import type { Order } from "../orders/contract.ts";
import { ORDER_COLUMNS, selectOrder } from "../orders/store.ts";
import type { Pet } from "../pets/contract.ts";
import { IS_OPEN, PET_COLUMNS, selectPet } from "../pets/store.ts";
import {
  flagColumn,
  int64Column,
  members,
  nullable,
  numberColumn,
  textColumn,
  timeColumn,
} from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { StockedPet } from "./contract.ts";

const UNCHANGED = ["pet.created", "pet.updated"]
  .map(
    (type) =>
      `NOT EXISTS (SELECT 1 FROM event WHERE pet_id = range_pet.id AND type = '${type}' AND id >= $1)`,
  )
  .join(" AND ");

/**
 * Selects pending animals that have no open order and have not changed since event `since`, oldest first. Searches only the
 * oldest pending animals. The condition on orders does not use `NOT EXISTS`, because a database without statistics would then
 * read all open orders for each animal.
 */
export const selectForgottenPets: Statement<[since: number, searched: number, limit: number], Pet> = {
  sql: `SELECT ${PET_COLUMNS} FROM (SELECT ${PET_COLUMNS} FROM pet WHERE status = 'pending'
        ORDER BY id LIMIT CAST($2 AS BIGINT)) AS range_pet
    WHERE (SELECT id FROM store_order WHERE pet_id = range_pet.id AND ${IS_OPEN}) IS NULL AND ${UNCHANGED}
    ORDER BY id LIMIT CAST($3 AS BIGINT)`,
  decode: selectPet.decode,
};

/**
 * Selects the lowest category numbers that animals have, and counts the animals with each number. Each category number costs one
 * index lookup. Each count stops at `counted`.
 */
export const selectUsedCategories: Statement<
  [searched: number, counted: number],
  { readonly id: Int64; readonly isNamed: boolean; readonly found: number }
> = statement(
  `WITH RECURSIVE range_used (id, place) AS (
    SELECT min(category_id), CAST(1 AS BIGINT) FROM pet
    UNION ALL SELECT (SELECT min(category_id) FROM pet WHERE category_id > range_used.id), place + 1
      FROM range_used WHERE range_used.id IS NOT NULL AND place < $1
  ) SELECT id, (SELECT count(*) FROM category WHERE category.id = range_used.id) AS is_named,
      (SELECT count(*) FROM (SELECT id FROM pet WHERE category_id = range_used.id ORDER BY id DESC LIMIT CAST($2 AS BIGINT)) AS page_counted) AS found
    FROM range_used WHERE id IS NOT NULL ORDER BY id`,
  members({ id: int64Column, isNamed: flagColumn, found: numberColumn }),
);

/** Counts the available animals in each of the categories with the lowest numbers. Each count stops at `counted`. */
export const countAvailableByCategory: Statement<
  [searched: number, counted: number],
  { readonly id: Int64; readonly found: number }
> = statement(
  `WITH RECURSIVE range_used (id, place) AS (
    SELECT min(category_id), CAST(1 AS BIGINT) FROM pet
    UNION ALL SELECT (SELECT min(category_id) FROM pet WHERE category_id > range_used.id), place + 1
      FROM range_used WHERE range_used.id IS NOT NULL AND place < $1
  ) SELECT id, (SELECT count(*) FROM (SELECT id FROM pet WHERE category_id = range_used.id AND status = 'available'
        ORDER BY id LIMIT CAST($2 AS BIGINT)) AS page_counted) AS found
    FROM range_used WHERE id IS NOT NULL ORDER BY id`,
  members({ id: int64Column, found: numberColumn }),
);

/** Selects the available animals with the lowest identifiers. Also returns when each was added, if that event is still stored. */
export const selectLongestInStock: Statement<[limit: number], StockedPet> = statement(
  `SELECT id, name, category_id, (SELECT min(created_at) FROM event WHERE event.pet_id = range_pet.id AND type = 'pet.created') AS added_at
      FROM (SELECT id, name, category_id FROM pet WHERE status = 'available' ORDER BY id LIMIT CAST($1 AS BIGINT)) AS range_pet
      ORDER BY id`,
  members({ id: int64Column, name: textColumn, categoryId: int64Column, addedAt: nullable(timeColumn) }),
);

/**
 * Counts open orders, but stops at `limit`. The orders are sorted by animal, so that the database uses the index on open orders.
 */
export const countOpenOrders: Statement<[limit: number], number> = statement(
  `SELECT count(*) AS found FROM (SELECT pet_id FROM store_order WHERE ${IS_OPEN} ORDER BY pet_id LIMIT CAST($1 AS BIGINT)) AS counted`,
  numberColumn("found"),
);

/**
 * Selects open orders that have a ship date before `lateBefore`, or were placed before `placedBefore`. Searches only the oldest
 * open orders.
 */
export const selectWaitingOrders: Statement<
  { lateBefore: number; placedBefore: number; searched: number; limit: number },
  Order
> = statement(
  `SELECT ${ORDER_COLUMNS} FROM (SELECT ${ORDER_COLUMNS} FROM store_order WHERE complete = 0
        ORDER BY id LIMIT CAST($searched AS BIGINT)) AS range_open
    WHERE ship_date < $lateBefore OR created_at < $placedBefore ORDER BY id LIMIT CAST($limit AS BIGINT)`,
  selectOrder.decode,
);
