import type { Int64 } from "exact-json/int64";
import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context } from "../context.ts";
import { endpoint } from "../http/endpoint.ts";
import { PET_STATUSES } from "../pets/contract.ts";
import {
  COUNTED_AT_ONCE_MAX,
  COUNTS_KEPT_MS,
  type CountInventory,
  isCountedAtOnce,
} from "../pets/inventory.ts";
import type { Inventory } from "../pets/inventory-contract.ts";
import { createKept } from "../platform/kept.ts";
import type { ColumnValue, WholeTables } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { Statement } from "../storage/statement.ts";
import {
  type Cached,
  type CountedPets,
  consoleOperations,
  type PetCounts,
  type UsedCategories,
} from "./contract.ts";
import { countAvailableByCategory, countOpenOrders, selectUsedCategories } from "./overview-store.ts";

const USED_CATEGORIES_MAX = 1_000; // maximum number of categories whose animals are counted; the lowest category numbers come first

type CategoryCounts = readonly { readonly id: Int64; readonly count: number }[];

/**
 * Counts the animals in each category.
 *
 * @param store the counts of all animals in the store; if the store is small, the animals are counted again for each request
 */
type CountByCategory = (ctx: Context, store: Inventory) => Promise<CategoryCounts>;

/** Exact counts for the console. The counts of a large store are cached for a few seconds, like those of `getInventory`. */
export interface StockCounts {
  readonly inventory: CountInventory;
  readonly openOrders: (ctx: Context) => Promise<number>;
  /** The number of available animals in each category. Categories without any animals are left out. */
  readonly available: CountByCategory;
  readonly byCategory: CountByCategory;
}

export function createStockCounts(
  { countBy }: Pick<WholeTables, "countBy">,
  inventory: CountInventory,
): StockCounts {
  const openOrders = createKept<number>(COUNTS_KEPT_MS);
  return {
    inventory,
    async openOrders({ query, now, storeId }) {
      const known = openOrders.get(now, storeId);
      if (known !== undefined) return known;
      const found = singleRow(await query(countOpenOrders, [COUNTED_AT_ONCE_MAX]));
      if (found < COUNTED_AT_ONCE_MAX) return found;
      return openOrders.find(now, storeId, async () =>
        singleRow(await countBy("store_order", "complete", ["0"])),
      );
    },
    available: categoryCounter(countAvailableByCategory, { column: "status", value: "available" }),
    byCategory: categoryCounter(selectUsedCategories),
  };

  function categoryCounter(
    statement: Statement<[searched: number, counted: number], { readonly id: Int64; readonly found: number }>,
    among?: ColumnValue,
  ): CountByCategory {
    const kept = createKept<CategoryCounts>(COUNTS_KEPT_MS);
    return async ({ query, now, storeId }, store) => {
      const known = kept.get(now, storeId);
      if (known !== undefined) return known;
      const isSmall = isCountedAtOnce(store);
      const found = await query(statement, [USED_CATEGORIES_MAX, isSmall ? COUNTED_AT_ONCE_MAX : 0]);
      if (isSmall) return found.map(({ id, found: count }) => ({ id, count }));
      const count = async () => {
        const counts = await countBy(
          "pet",
          "category_id",
          found.map(({ id }) => String(id)),
          among,
        );
        return found.map(({ id }, index) => ({ id, count: counts[index] ?? 0 }));
      };
      return kept.find(now, storeId, count);
    };
  }
}

export function petCountsEndpoint({ inventory }: StockCounts) {
  return endpoint(consoleOperations.countPets, async (ctx): Promise<CountedPets> => {
    requireSession(ctx);
    const counts = await inventory(ctx);
    return { counts: petCounts(counts), ...cachingOf(counts) };
  });
}

/** Returns how long the server caches the counts of a store of this size. */
export function cachingOf(counts: Readonly<Record<string, number>>): Cached {
  return isCountedAtOnce(counts) ? {} : { cachedForMs: COUNTS_KEPT_MS };
}

export function petCounts(counts: Inventory): PetCounts {
  return [
    ...PET_STATUSES.map((status) => ({ status, count: counts[status] })),
    { status: null, count: counts.withoutStatus },
  ];
}

export function usedCategoriesEndpoint({ byCategory, inventory }: StockCounts) {
  return endpoint(consoleOperations.listUsedCategories, async (ctx): Promise<UsedCategories> => {
    requireSession(ctx);
    const store = await inventory(ctx);
    const counts = new Map((await byCategory(ctx, store)).map(({ id, count }) => [id, count]));
    const used = await ctx.query(selectUsedCategories, [USED_CATEGORIES_MAX, 0]);
    return {
      used: used.map(({ id, isNamed }) => ({ id, isNamed, count: counts.get(id) ?? 0 })),
      hasMore: used.length === USED_CATEGORIES_MAX,
      ...cachingOf(store),
    };
  });
}
