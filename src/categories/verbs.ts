import { INT64_MAX, type Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { readPageBy, scopeEndOf } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { changeWithEvent, patchWithEvent, unexplained } from "../events/change.ts";
import type { Maybe } from "../platform/maybe.ts";
import { found, singleRow } from "../storage/row.ts";
import type { Category, categoryOperations } from "./contract.ts";
import {
  insertCategory,
  nextCategoryNumber,
  patchCategory,
  removeCategory,
  selectCategory,
  selectCategoryPage,
  selectFirstCategories,
  selectNewestPetId,
  startCategoryNumbers,
} from "./store.ts";

export function listCategories(
  ctx: Context,
  input: Input<typeof categoryOperations.listCategories>,
): Maybe<Page<Category>> {
  // The cursor of every page except the first contains the text `below` in addition to a category number. Otherwise, the cursor of
  // the first page, which begins at the highest int64, would be the same as the cursor after a category with that number.
  return readPageBy(
    ["listCategories", ...scopeEndOf(ctx)],
    input,
    ({ id }) => ({ position: BigInt(id), text: "below" }),
    ({ position, text }, count) =>
      text === "" && position === INT64_MAX
        ? ctx.query(selectFirstCategories, [count])
        : ctx.query(selectCategoryPage, [position, count]),
  );
}

/** Adds a category with the given number, or with a generated one. @throws ServiceError `conflict` */
export async function createCategory(
  ctx: Context,
  { body }: Input<typeof categoryOperations.createCategory>,
): Promise<Category> {
  const { id: given, name, description = null } = body;
  const id = given ?? (await generateNumber(ctx));
  const created = await changeWithEvent(ctx, insertCategory, { id, name, description, createdAt: ctx.now });
  if (created !== undefined) return created;
  const taken = singleRow(await ctx.query(selectCategory, [id]));
  throw new ServiceError("conflict", `Category ${id} (${taken.name}) already exists.`);
}

async function generateNumber({ query }: Context): Promise<Int64> {
  await query(startCategoryNumbers, []);
  return singleRow(await query(nextCategoryNumber, []));
}

/** Returns the category with this identifier. @throws ServiceError `not_found` */
export function getCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.getCategory>,
): Maybe<Category> {
  return found(ctx.query(selectCategory, [categoryId]), "category", categoryId);
}

/** Changes a category. @throws ServiceError `not_found` */
export async function updateCategory(
  ctx: Context,
  input: Input<typeof categoryOperations.updateCategory>,
): Promise<Category> {
  const { categoryId, body } = input;
  const before = await getCategory(ctx, { categoryId });
  const category = await patchWithEvent(ctx, patchCategory(categoryId, body), before);
  if (category === undefined) throw unexplained("category", categoryId);
  return category;
}

/** Removes a category that has no animals. @throws ServiceError `not_found`, `category_in_use` */
export async function deleteCategory(
  ctx: Context,
  { categoryId }: Input<typeof categoryOperations.deleteCategory>,
): Promise<undefined> {
  const removed = await changeWithEvent(ctx, removeCategory, [categoryId]);
  if (removed !== undefined) return;
  await getCategory(ctx, { categoryId });
  const petId = singleRow(await ctx.query(selectNewestPetId, [categoryId]));
  throw new ServiceError(
    "category_in_use",
    `Category ${categoryId} cannot be removed, because animal ${petId} is in it. Remove the animal or change its category first.`,
  );
}
