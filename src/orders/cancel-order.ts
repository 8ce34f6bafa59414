import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { change } from "../events/change.ts";
import { releasePet } from "../pets/store.ts";
import type { orderOperations } from "./contract.ts";
import { orderNotOpenError } from "./order-not-open-error.ts";
import { removeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function cancelOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.cancelOrder>,
): Promise<undefined> {
  const order = await change(ctx, removeOpenOrder, [orderId]);
  if (order === undefined) throw await orderNotOpenError(ctx.query, orderId);
  await change(ctx, releasePet, [order.petId], { before: { status: "pending" } });
}
