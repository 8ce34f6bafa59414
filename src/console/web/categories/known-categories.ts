import type { Int64 } from "exact-json/int64";
import { useEffect } from "preact/hooks";
import type { Category } from "../../../categories/contract.ts";
import { useLive } from "../events/live.ts";
import { callPage } from "../request.ts";
import { type CategoryNames, knownNames } from "./category-names.ts";

/** Maximum number of pages (of 100 categories each) that are read for the names of categories. */
const PAGES_MAX = 10;

let reading: Promise<CategoryNames> | undefined;

/**
 * Returns the names of the first 1,000 categories, and updates them live. Some animals may have a category that is not among
 * these, or that does not exist.
 */
export function useCategoryNames(): CategoryNames | undefined {
  useEffect(() => void readCategories().catch(() => {}), []);
  useLive(["category"], async () => {
    // Reads the categories again, because a read that was already running may have begun before the change.
    await reading?.catch(() => {});
    await readCategories();
  });
  return knownNames.value;
}

export async function knownCategories(): Promise<CategoryNames> {
  return knownNames.value ?? readCategories();
}

export function learnCategory({ id, name }: Category): void {
  knownNames.value = new Map(knownNames.value).set(id, name);
}

/** Reads the names of categories. If several callers ask at the same time, there is only one read. */
function readCategories(): Promise<CategoryNames> {
  reading ??= readCategoryNames().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readCategoryNames(): Promise<CategoryNames> {
  const names = new Map<Int64, string>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items, next } = await callPage<Category>("/categories", { query: { limit: "100", cursor } });
    for (const { id, name } of items) names.set(id, name);
    if (next === undefined) break;
    cursor = next;
  }
  knownNames.value = names;
  return names;
}
