import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { selectOpenOrderOfPet } from "../orders/store.ts";
import type { petOperations } from "./contract.ts";
import { requirePet } from "./require-pet.ts";
import { removePet } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  await requirePet(ctx.query, petId);
  const [openOrder] = await ctx.query(selectOpenOrderOfPet, [petId]);
  if (openOrder !== undefined) {
    throw new ServiceError(
      "pet_has_open_order",
      `Animal ${petId} has an open order, ${openOrder.id}. Complete or cancel it first.`,
    );
  }
  await ctx.query(removePet, [petId]);
}
