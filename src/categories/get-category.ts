import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { requireCategory } from "./require-category.ts";

/** @throws ServiceError `not_found` */
export function getCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.getCategory>,
): Maybe<Category> {
  return requireCategory(ctx.query, categoryId);
}
