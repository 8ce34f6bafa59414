import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { movePet } from "../pets/store.ts";
import type { orderOperations } from "./contract.ts";
import { requireOpenOrder } from "./require-open-order.ts";
import { removeOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function cancelOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.cancelOrder>,
): Promise<undefined> {
  const order = await requireOpenOrder(ctx.query, orderId);
  await ctx.query(movePet, [order.petId, "available"]);
  await ctx.query(removeOrder, [orderId]);
}
