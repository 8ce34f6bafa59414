import type { Category } from "../../../categories/contract.ts";
import type { Count, UsedCategories } from "../../contract.ts";
import { useLivePage } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import { call, callPage, type Page, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";

/** Minimum interval between two reads of the counts, in milliseconds, because each may count 100,000 animals. */
const COUNT_INTERVAL_MS = 10_000;

/** A category, or a number that animals use without one. */
export interface ListedCategory {
  readonly id: Category["id"];
  readonly category?: Versioned<Category>;
  /** Number of its animals; undefined if they are not counted. */
  readonly animals: Count | undefined;
}

interface Categories extends Loaded<Page<ListedCategory>> {
  /** True if animals use more numbers than are counted. */
  readonly hasMore: boolean;
}

/** A page of categories with their numbers of animals; on the first page, after the numbers without a category. */
export function useCategories(): Categories {
  const categories = useLivePage("category", (query, signal) =>
    callPage<Versioned<Category>>("/categories", { query, signal }),
  );
  const counts = useLoad((signal) => call<UsedCategories>("GET", "/used-categories", { signal }));
  useLive(["category", "pet"], counts.reload, COUNT_INTERVAL_MS);
  const { value: page, update, reload, ...loaded } = categories;
  const isComplete = page !== undefined && (counts.value ?? counts.error) !== undefined;
  return {
    ...loaded,
    value: isComplete ? { ...page, items: merged(page.items, counts.value) } : undefined,
    hasMore: counts.value?.hasMore ?? false,
    update() {},
    async reload() {
      await Promise.all([counts.reload(), reload()]);
    },
  };
}

function merged(
  categories: readonly Versioned<Category>[],
  { used, hasMore }: UsedCategories = { used: [], hasMore: true },
): readonly ListedCategory[] {
  const named = new Set(categories.map(({ id }) => id));
  const counts = new Map<Category["id"], Count>(used.map((one) => [one.id, one]));
  const none = hasMore ? undefined : { count: 0, isAtLeast: false };
  const unnamed = route.value.query.has("cursor")
    ? []
    : used.filter(({ id, isNamed }) => !isNamed && !named.has(id));
  return [
    ...unnamed.map((animals) => ({ id: animals.id, animals })),
    ...categories.map((category) => ({
      id: category.id,
      category,
      animals: counts.get(category.id) ?? none,
    })),
  ];
}
