import type { Context } from "../context.ts";
import type { WholeTables } from "../storage/database.ts";
import { members, numberColumn, singleRow } from "../storage/row.ts";
import type { Statement } from "../storage/statement.ts";
import type { Inventory } from "./inventory-contract.ts";

const COUNTED_AT_ONCE_MAX = 10_000; // animals of each status that one statement counts, which takes about a millisecond
const INVENTORY_KEPT_MS = 5_000; // the counts of a store with more animals are kept for this long

const upTo = (condition: string) =>
  `(SELECT count(*) FROM (SELECT 1 FROM pet WHERE ${condition} LIMIT CAST($1 AS BIGINT)) AS page_counted)`;

/** Counts the animals of each status at one moment, at most $1 of each. */
export const countPets: Statement<[limit: number], Inventory> = {
  sql: `SELECT ${upTo("status = 'available'")} AS available, ${upTo("status = 'pending'")} AS pending,
    ${upTo("status = 'sold'")} AS sold, ${upTo("status IS NULL")} AS without_status`,
  decode: members({
    available: numberColumn,
    pending: numberColumn,
    sold: numberColumn,
    withoutStatus: numberColumn,
  }),
};

interface Kept {
  readonly storeId: string | undefined;
  readonly countedAt: number;
  readonly counts: Promise<Inventory>;
}

/** Creates the verb of `getInventory`. It keeps the counts of a large store for a few seconds. */
export function createInventory({ countBy }: Pick<WholeTables, "countBy">) {
  let kept: Kept | undefined;

  async function countAll(): Promise<Inventory> {
    const statuses = ["available", "pending", "sold", null] as const;
    const [available = 0, pending = 0, sold = 0, withoutStatus = 0] = await countBy(
      "pet",
      "status",
      statuses,
    );
    return { available, pending, sold, withoutStatus };
  }

  return async ({ query, now, storeId }: Context): Promise<Inventory> => {
    if (kept && kept.storeId === storeId && Math.abs(now - kept.countedAt) < INVENTORY_KEPT_MS)
      return kept.counts;
    const counts = singleRow(await query(countPets, [COUNTED_AT_ONCE_MAX]));
    if (Object.values(counts).every((count) => count < COUNTED_AT_ONCE_MAX)) return counts;
    const counting: Kept = { storeId, countedAt: now, counts: countAll() };
    kept = counting;
    counting.counts.catch(() => {
      if (kept === counting) kept = undefined;
    });
    return counting.counts;
  };
}
