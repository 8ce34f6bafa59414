import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Order, orderOperations } from "./contract.ts";
import { requireOrder } from "./require-order.ts";

/** @throws ServiceError `not_found` */
export async function getOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.getOrder>,
): Promise<Order> {
  return requireOrder(ctx.query, orderId);
}
