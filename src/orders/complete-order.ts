import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { movePet } from "../pets/store.ts";
import type { Order, orderOperations } from "./contract.ts";
import { notOpen } from "./not-open.ts";
import { completeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function completeOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.completeOrder>,
): Promise<Order> {
  const [order] = await ctx.query(completeOpenOrder, [orderId]);
  if (order === undefined) throw await notOpen(ctx.query, orderId);
  await ctx.query(movePet, [order.petId, "sold"]);
  return order;
}
