import type { Int64 } from "exact-json/int64";
import { digits, withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Category, CategoryPatch, NewCategory, Paging } from "./types.ts";

/** Operations on categories, which give names to the animals' category numbers. Beta. */
export interface Categories {
  /** `listCategories`: lists all categories, highest identifier first. */
  list(paging?: Paging, call?: CallOptions): List<Category>;
  /** `createCategory`: adds a category. You can choose its number with `id`, even a number that animals already use. */
  create(newCategory: NewCategory, call?: CallOptions): Promise<Category>;
  /** `getCategory`: reads one category. */
  get(id: Int64, call?: CallOptions): Promise<Category>;
  /** `updateCategory`: changes the given members; `description: null` removes the description. */
  update(id: Int64, patch: CategoryPatch, call?: ChangeOptions): Promise<Category>;
  /** `deleteCategory`: removes a category that contains no animals. */
  delete(id: Int64, call?: ChangeOptions): Promise<void>;
}

export function categoryMethods(settings: Settings): Categories {
  const { get, post, patch, delete: remove } = createRequester(settings);
  const collection = `${settings.storeUrl}/categories`;
  const item = (id: Int64) => `${collection}/${digits(id)}`;
  return {
    list: (paging = {}, call) => listAt(settings, () => withQuery(collection, { ...paging }), call),
    create: async (newCategory, call) => post(collection, newCategory, call),
    get: async (id, call) => get(item(id), call),
    update: async (id, changes, call) => patch(item(id), changes, call),
    delete: async (id, call) => remove(item(id), call),
  };
}
