import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { Order } from "./contract.ts";
import { selectOrder } from "./store.ts";

/** @throws ServiceError `not_found` */
export function requireOrder(query: Query, orderId: Int64): Maybe<Order> {
  return andThen(query(selectOrder, [orderId]), ([order]) => {
    if (order === undefined) throw new ServiceError("not_found", `There is no order ${orderId}.`);
    return order;
  });
}
