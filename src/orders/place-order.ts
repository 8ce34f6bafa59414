import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { requirePet } from "../pets/require-pet.ts";
import { reservePet } from "../pets/store.ts";
import { singleRow } from "../storage/row.ts";
import type { Order, orderOperations } from "./contract.ts";
import { insertOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_not_available` */
export async function placeOrder(
  ctx: Context,
  { body }: Input<typeof orderOperations.placeOrder>,
): Promise<Order> {
  const { petId, quantity = 1, shipDate, ...rest } = body;
  rest satisfies Record<string, never>;
  const [claimed] = await ctx.query(reservePet, [petId]);
  if (claimed === undefined) {
    await requirePet(ctx.query, petId);
    throw new ServiceError("pet_not_available", `Animal ${petId} is not available.`);
  }
  return singleRow(
    await ctx.query(insertOrder, [petId, quantity, shipDate ? Date.parse(shipDate) : null, 0]),
  );
}
