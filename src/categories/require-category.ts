import type { Int64 } from "../../client/src/int64.ts";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import type { Category } from "./contract.ts";
import { selectCategory } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function requireCategory(query: Query, categoryId: Int64): Promise<Category> {
  const [category] = await query(selectCategory, [categoryId]);
  if (category === undefined) throw new ServiceError("not_found", `There is no category ${categoryId}.`);
  return category;
}
