import { withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Category, NewCategory, Paging } from "./types.ts";

/** Names for the animals' category numbers. Beta. */
export interface Categories {
  /** `listCategories`: newest first. */
  list(paging?: Paging, call?: CallOptions): List<Category>;
  /** `createCategory` */
  create(newCategory: NewCategory, call?: CallOptions): Promise<Category>;
}

export function categoryMethods(settings: Settings): Categories {
  const { post } = createRequester(settings);
  const collection = `${settings.storeUrl}/categories`;
  return {
    list: (paging = {}, call) => listAt(settings, () => withQuery(collection, { ...paging }), call),
    create: async (newCategory, call) => post(collection, newCategory, call),
  };
}
