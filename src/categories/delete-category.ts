import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { change } from "../events/change.ts";
import { singleRow } from "../storage/row.ts";
import type { categoryOperations } from "./contract.ts";
import { requireCategory } from "./require-category.ts";
import { removeCategory, selectNewestPetId } from "./store.ts";

/** @throws ServiceError `not_found`, `category_in_use` */
export async function deleteCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.deleteCategory>,
): Promise<undefined> {
  const removed = await change(ctx, removeCategory, [categoryId]);
  if (removed !== undefined) return;
  await requireCategory(ctx.query, categoryId);
  const petId = singleRow(await ctx.query(selectNewestPetId, [categoryId]));
  throw new ServiceError(
    "category_in_use",
    `Category ${categoryId} is in use by animal ${petId}. Remove the animal or change its category first.`,
  );
}
