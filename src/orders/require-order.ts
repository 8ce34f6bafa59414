import type { Int64 } from "../../client/src/int64.ts";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import type { Order } from "./contract.ts";
import { selectOrder } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function requireOrder(query: Query, orderId: Int64): Promise<Order> {
  const [order] = await query(selectOrder, [orderId]);
  if (order === undefined) throw new ServiceError("not_found", `There is no order ${orderId}.`);
  return order;
}
