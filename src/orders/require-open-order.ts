import type { Int64 } from "../contract/int64.ts";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import type { Order } from "./contract.ts";
import { selectOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function requireOpenOrder(query: Query, orderId: Int64): Promise<Order> {
  const [order] = await query(selectOrder, [orderId]);
  if (order === undefined) throw new ServiceError("not_found", `There is no order ${orderId}.`);
  if (order.complete)
    throw new ServiceError("order_already_complete", `Order ${orderId} is already complete.`);
  return order;
}
