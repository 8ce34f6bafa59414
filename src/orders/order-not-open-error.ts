import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import { requireOrder } from "./require-order.ts";

/** Why an order could not be ended: `not_found` or `order_already_complete`. */
export async function orderNotOpenError(query: Query, orderId: Int64): Promise<ServiceError> {
  await requireOrder(query, orderId);
  return new ServiceError("order_already_complete", `Order ${orderId} is already complete.`);
}
