import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { sellPet } from "../pets/store.ts";
import type { Order, orderOperations } from "./contract.ts";
import { orderNotOpenError } from "./order-not-open-error.ts";
import { completeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function completeOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.completeOrder>,
): Promise<Order> {
  const [order] = await ctx.query(completeOpenOrder, [orderId]);
  if (order === undefined) throw await orderNotOpenError(ctx.query, orderId);
  await ctx.query(sellPet, [order.petId]);
  return order;
}
