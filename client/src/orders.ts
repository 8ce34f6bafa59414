import type { Int64 } from "exact-json/int64";
import { digits, withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { NewOrder, Order, OrderFilter, Paging } from "./types.ts";

/** Operations on orders for animals. Beta. */
export interface Orders {
  /** `listOrders`: lists the orders that match the filter, newest first. Cancelled orders are deleted, so they are not listed. */
  list(filter?: OrderFilter & Paging, call?: CallOptions): List<Order>;
  /** `placeOrder`: orders an `available` animal and makes it `pending`, in one transaction. */
  place(newOrder: NewOrder, call?: CallOptions): Promise<Order>;
  /** `getOrder`: reads one order. */
  get(id: Int64, call?: CallOptions): Promise<Order>;
  /** `completeOrder`: completes an order. Its animal becomes `sold`. */
  complete(id: Int64, call?: ChangeOptions): Promise<Order>;
  /** `cancelOrder`: removes an order that is not complete. Its animal becomes `available` again. */
  cancel(id: Int64, call?: ChangeOptions): Promise<void>;
}

export function orderMethods(settings: Settings): Orders {
  const { get, post, delete: remove } = createRequester(settings);
  const collection = `${settings.storeUrl}/store/orders`;
  const item = (id: Int64) => `${collection}/${digits(id)}`;
  return {
    list: (filter = {}, call) => listAt(settings, () => withQuery(collection, { ...filter }), call),
    place: async (newOrder, call) => post(collection, newOrder, call),
    get: async (id, call) => get(item(id), call),
    complete: async (id, call) => post(`${item(id)}/complete`, undefined, call),
    cancel: async (id, call) => remove(item(id), call),
  };
}
