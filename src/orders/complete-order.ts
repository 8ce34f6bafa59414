import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { movePet } from "../pets/store.ts";
import { onlyRow } from "../storage/row.ts";
import type { Order, orderOperations } from "./contract.ts";
import { requireOpenOrder } from "./require-open-order.ts";
import { markOrderComplete } from "./store.ts";

/** @throws ServiceError `not_found`, `order_already_complete` */
export async function completeOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.completeOrder>,
): Promise<Order> {
  const order = await requireOpenOrder(ctx.query, orderId);
  await ctx.query(movePet, [order.petId, "sold"]);
  return onlyRow(await ctx.query(markOrderComplete, [orderId]));
}
