import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { type CreateContext, change } from "../events/change.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import { singleRow } from "../storage/row.ts";
import type { Category, categoryOperations } from "./contract.ts";
import {
  describeCategory,
  insertCategory,
  removeCategory,
  renameCategory,
  selectCategory,
  selectCategoryPage,
  selectNewestPetId,
} from "./store.ts";

export function listCategories(
  ctx: Context,
  input: Input<typeof categoryOperations.listCategories>,
): Maybe<Page<Category>> {
  return readPage(ctx, input, ["listCategories"], (below, count) =>
    ctx.query(selectCategoryPage, [below, count]),
  );
}

export function createCategory(
  { create }: CreateContext,
  { body }: Input<typeof categoryOperations.createCategory>,
): Maybe<Category> {
  const { name, description = null, ...rest } = body;
  rest satisfies Record<string, never>;
  return create(insertCategory, [name, description], body);
}

/** A category by its identifier. @throws ServiceError `not_found` */
export function getCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.getCategory>,
): Maybe<Category> {
  return andThen(ctx.query(selectCategory, [categoryId]), ([category]) => {
    if (category === undefined) throw new ServiceError("not_found", `There is no category ${categoryId}.`);
    return category;
  });
}

/** Changes a category. @throws ServiceError `not_found` */
export async function updateCategory(
  ctx: Context,
  input: Input<typeof categoryOperations.updateCategory>,
): Promise<Category> {
  const { categoryId, body: patch } = input;
  const { name = null, description, ...rest } = patch;
  rest satisfies Record<string, never>;
  const before = await getCategory(ctx, { categoryId });
  const category =
    description === undefined
      ? await change(ctx, renameCategory, [categoryId, name], { before })
      : await change(ctx, describeCategory, [categoryId, name, description], { before });
  return category ?? before;
}

/** Removes a category without animals. @throws ServiceError `not_found`, `category_in_use` */
export async function deleteCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.deleteCategory>,
): Promise<undefined> {
  const removed = await change(ctx, removeCategory, [categoryId]);
  if (removed !== undefined) return;
  await getCategory(ctx, { categoryId });
  const petId = singleRow(await ctx.query(selectNewestPetId, [categoryId]));
  throw new ServiceError(
    "category_in_use",
    `Category ${categoryId} is in use by animal ${petId}. Remove the animal or change its category first.`,
  );
}
