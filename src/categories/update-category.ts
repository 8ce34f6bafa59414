import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { change } from "../events/change.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { requireCategory } from "./require-category.ts";
import { patchCategory } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function updateCategory(
  ctx: Context,
  input: Input<typeof categoryOperations.updateCategory>,
): Promise<Category> {
  const { categoryId, body: patch } = input;
  const { name = null, description, ...rest } = patch;
  rest satisfies Record<string, never>;
  const how = description === undefined ? "keep" : "set";
  const before = await requireCategory(ctx.query, categoryId);
  const category = await change(ctx, patchCategory, [categoryId, name, how, description ?? null], {
    before,
  });
  return category ?? before;
}
