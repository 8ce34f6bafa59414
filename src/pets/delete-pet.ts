import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { petOperations } from "./contract.ts";
import { requirePet } from "./require-pet.ts";
import { removePet } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  const [removed] = await ctx.query(removePet, [petId]);
  if (removed !== undefined) return;
  await requirePet(ctx.query, petId);
  throw new ServiceError(
    "pet_has_open_order",
    `Animal ${petId} has an open order. Complete or cancel it first.`,
  );
}
