import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { movePet } from "../pets/store.ts";
import type { orderOperations } from "./contract.ts";
import { notOpen } from "./not-open.ts";
import { removeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function cancelOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.cancelOrder>,
): Promise<undefined> {
  const [order] = await ctx.query(removeOpenOrder, [orderId]);
  if (order === undefined) throw await notOpen(ctx.query, orderId);
  await ctx.query(movePet, [order.petId, "available"]);
}
