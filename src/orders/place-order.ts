import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { requirePet } from "../pets/require-pet.ts";
import { movePet } from "../pets/store.ts";
import { onlyRow } from "../storage/row.ts";
import type { Order, orderOperations } from "./contract.ts";
import { insertOrder, selectOpenOrderOfPet } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_not_available` */
export async function placeOrder(
  ctx: Context,
  { body }: Input<typeof orderOperations.placeOrder>,
): Promise<Order> {
  const { petId, quantity = 1, shipDate } = body;
  const pet = await requirePet(ctx.query, petId);
  // The status can be changed by hand, so an open order counts too.
  const [openOrder] = await ctx.query(selectOpenOrderOfPet, [petId]);
  if (pet.status !== "available" || openOrder !== undefined) {
    throw new ServiceError("pet_not_available", `Animal ${petId} is not available.`);
  }
  await ctx.query(movePet, [petId, "pending"]);
  return onlyRow(await ctx.query(insertOrder, [petId, quantity, shipDate ? Date.parse(shipDate) : null]));
}
