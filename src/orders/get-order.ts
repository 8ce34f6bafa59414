import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Order, orderOperations } from "./contract.ts";
import { requireOrder } from "./require-order.ts";

/** @throws ServiceError `not_found` */
export function getOrder(ctx: Context, { orderId }: Input<typeof orderOperations.getOrder>): Maybe<Order> {
  return requireOrder(ctx.query, orderId);
}
