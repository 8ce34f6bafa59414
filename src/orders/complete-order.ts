import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { change } from "../events/change.ts";
import { requirePet } from "../pets/require-pet.ts";
import { sellPet } from "../pets/store.ts";
import type { Order, orderOperations } from "./contract.ts";
import { orderNotOpenError } from "./order-not-open-error.ts";
import { completeOpenOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function completeOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.completeOrder>,
): Promise<Order> {
  const order = await change(ctx, completeOpenOrder, [orderId], {
    before: { complete: false },
  });
  if (order === undefined) throw await orderNotOpenError(ctx.query, orderId);
  const ordered = await requirePet(ctx.query, order.petId);
  await change(ctx, sellPet, [order.petId], { before: ordered });
  return order;
}
