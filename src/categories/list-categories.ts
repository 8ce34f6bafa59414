import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { selectCategoryPage } from "./store.ts";

export function listCategories(
  ctx: Context,
  input: Input<typeof categoryOperations.listCategories>,
): Maybe<Page<Category>> {
  return readPage(ctx, input, ["listCategories"], (below, count) =>
    ctx.query(selectCategoryPage, [below, count]),
  );
}
