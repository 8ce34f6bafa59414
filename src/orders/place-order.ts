import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { requirePet } from "../pets/require-pet.ts";
import { claimPet } from "../pets/store.ts";
import { onlyRow } from "../storage/row.ts";
import type { Order, orderOperations } from "./contract.ts";
import { insertOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_not_available` */
export async function placeOrder(
  ctx: Context,
  { body }: Input<typeof orderOperations.placeOrder>,
): Promise<Order> {
  const { petId, quantity = 1, shipDate } = body;
  const [claimed] = await ctx.query(claimPet, [petId]);
  if (claimed === undefined) {
    await requirePet(ctx.query, petId);
    throw new ServiceError("pet_not_available", `Animal ${petId} is not available.`);
  }
  return onlyRow(await ctx.query(insertOrder, [petId, quantity, shipDate ? Date.parse(shipDate) : null]));
}
