import type { Context } from "../context.ts";
import { createKept } from "../platform/kept.ts";
import type { WholeTables } from "../storage/database.ts";
import { members, numberColumn, singleRow } from "../storage/row.ts";
import type { Statement } from "../storage/statement.ts";
import type { Inventory } from "./inventory-contract.ts";

export const COUNTED_AT_ONCE_MAX = 10_000; // maximum number of rows of each kind that one statement counts; counting that many takes about a millisecond
export const COUNTS_KEPT_MS = 5_000; // time for which the counts of a large store stay cached

const upTo = (condition: string) =>
  `(SELECT count(*) FROM (SELECT 1 FROM pet WHERE ${condition} LIMIT CAST($1 AS BIGINT)) AS page_counted)`;

/** Counts the animals of each status in one statement. A count stops at $1. */
const countPets: Statement<[limit: number], Inventory> = {
  sql: `SELECT ${upTo("status = 'available'")} AS available, ${upTo("status = 'pending'")} AS pending,
    ${upTo("status = 'sold'")} AS sold, ${upTo("status IS NULL")} AS without_status`,
  decode: members({
    available: numberColumn,
    pending: numberColumn,
    sold: numberColumn,
    withoutStatus: numberColumn,
  }),
};

export type CountInventory = (ctx: Context) => Promise<Inventory>;

/** Creates the function that executes `getInventory`. For a few seconds, this function caches the counts of a large store. */
export function createInventory({ countBy }: Pick<WholeTables, "countBy">): CountInventory {
  const kept = createKept<Inventory>(COUNTS_KEPT_MS);

  async function countAll(): Promise<Inventory> {
    const statuses = ["available", "pending", "sold", null] as const;
    const [available = 0, pending = 0, sold = 0, withoutStatus = 0] = await countBy(
      "pet",
      "status",
      statuses,
    );
    return { available, pending, sold, withoutStatus };
  }

  return async ({ query, now, storeId }) => {
    const known = kept.get(now, storeId);
    if (known !== undefined) return known;
    const counts = singleRow(await query(countPets, [COUNTED_AT_ONCE_MAX]));
    if (isCountedAtOnce(counts)) return counts;
    return kept.find(now, storeId, countAll);
  };
}

/** Returns true if the store is so small that its rows can be counted for every request. */
export function isCountedAtOnce(counts: Readonly<Record<string, number>>): boolean {
  return Object.values(counts).every((count) => count < COUNTED_AT_ONCE_MAX);
}
