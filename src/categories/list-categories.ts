import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { selectCategoryPage } from "./store.ts";

export function listCategories(
  { actor, query }: Context,
  input: Input<typeof categoryOperations.listCategories>,
): Maybe<Page<Category>> {
  return readPage(actor, input, ["listCategories"], (below, count) =>
    query(selectCategoryPage, [below, count]),
  );
}
