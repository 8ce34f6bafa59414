import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { releasePet } from "../pets/store.ts";
import type { orderOperations } from "./contract.ts";
import { orderNotOpenError } from "./order-not-open-error.ts";
import { removeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function cancelOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.cancelOrder>,
): Promise<undefined> {
  const [order] = await ctx.query(removeOpenOrder, [orderId]);
  if (order === undefined) throw await orderNotOpenError(ctx.query, orderId);
  await ctx.query(releasePet, [order.petId]);
}
