import type { Category } from "../../../categories/contract.ts";
import type { UsedCategories } from "../../contract.ts";
import { useLivePage } from "../components/paged-list.tsx";
import { useCounts } from "../events/use-counts.ts";
import { compareNames } from "../format.ts";
import { call, callPage, type Page, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import type { Loaded } from "../use-load.ts";

const PAGES_MAX = 10; // maximum number of pages (of 100 categories each) that are loaded together

/** A category, or a category number that animals have but that belongs to no category. */
export interface ListedCategory {
  readonly id: Category["id"];
  readonly category?: Versioned<Category>;
  /** The number of animals in the category, or undefined if they are not counted. */
  readonly animals: number | undefined;
}

interface Categories extends Loaded<Page<ListedCategory>> {
  /**
   * True if the list is incomplete: there are animals with other category numbers, and these animals are not counted.
   */
  readonly hasMore: boolean;
}

/**
 * Returns the categories from A to Z, with the number of animals in each. Category numbers that belong to no category come first.
 */
export function useCategories(): Categories {
  const categories = useLivePage("category", readPages);
  const counts = useCounts(
    (signal) => call<UsedCategories>("GET", "/used-categories", { signal }),
    ["category", "pet"],
  );
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

/**
 * Reads up to 1,000 categories, starting at a cursor. Nearly every shop has fewer, so that all of its categories can be sorted
 * together.
 */
async function readPages({ cursor }: Query, signal?: AbortSignal): Promise<Page<Versioned<Category>>> {
  const items: Versioned<Category>[] = [];
  let next = cursor;
  for (let page = 0; page < PAGES_MAX; page++) {
    const read = await callPage<Versioned<Category>>("/categories", {
      query: { limit: "100", cursor: next },
      signal,
    });
    items.push(...read.items);
    next = read.next;
    if (next === undefined) break;
  }
  return { items, next };
}

function merged(
  categories: readonly Versioned<Category>[],
  { used, hasMore }: UsedCategories = { used: [], hasMore: true },
): readonly ListedCategory[] {
  const named = new Set(categories.map(({ id }) => id));
  const counts = new Map<Category["id"], number>(used.map(({ id, count }) => [id, count]));
  const none = hasMore ? undefined : 0;
  const unnamed = route.value.query.has("cursor")
    ? []
    : used.filter(({ id, isNamed }) => !isNamed && !named.has(id));
  return [
    ...unnamed.map(({ id, count }) => ({ id, animals: count })),
    ...categories
      .toSorted((one, other) => compareNames(one.name, other.name))
      .map((category) => ({
        id: category.id,
        category,
        animals: counts.get(category.id) ?? none,
      })),
  ];
}
