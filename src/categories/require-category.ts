import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { Category } from "./contract.ts";
import { selectCategory } from "./store.ts";

/** @throws ServiceError `not_found` */
export function requireCategory(query: Query, categoryId: Int64): Maybe<Category> {
  return andThen(query(selectCategory, [categoryId]), ([category]) => {
    if (category === undefined) throw new ServiceError("not_found", `There is no category ${categoryId}.`);
    return category;
  });
}
