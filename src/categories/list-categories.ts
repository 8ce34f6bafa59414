import { INT64_MAX } from "../../client/src/int64.ts";
import type { Context } from "../context.ts";
import { pageOf, readCursor } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { selectCategoryPage } from "./store.ts";

export async function listCategories(
  ctx: Context,
  { limit, cursor }: Input<typeof categoryOperations.listCategories>,
): Promise<Page<Category>> {
  const scope = ["listCategories"];
  const below = readCursor(cursor, scope) ?? INT64_MAX;
  return pageOf(await ctx.query(selectCategoryPage, [below, limit + 1]), limit, scope);
}
