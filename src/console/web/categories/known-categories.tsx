import type { Int64 } from "../../../../client/src/int64.ts";
import type { Category } from "../../../categories/contract.ts";
import { callPage } from "../request.ts";

/** Pages of 100 categories. */
const PAGES_MAX = 10;

export type CategoryNames = ReadonlyMap<Int64, string>;

/** The first 1,000 categories. An animal's category need not be one of them, nor exist. */
export async function readCategoryNames(signal: AbortSignal): Promise<CategoryNames> {
  const names = new Map<Int64, string>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items, next } = await callPage<Category>("/categories", {
      query: { limit: "100", cursor },
      signal,
    });
    for (const { id, name } of items) names.set(id, name);
    if (next === undefined) break;
    cursor = next;
  }
  return names;
}

export const CATEGORY_LIST_ID = "known-categories";

/** Suggestions for a category field. */
export function CategoryList({ names }: { readonly names: CategoryNames | undefined }) {
  return (
    <datalist id={CATEGORY_LIST_ID}>
      {[...(names ?? [])].map(([id, name]) => (
        <option key={String(id)} value={String(id)}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
