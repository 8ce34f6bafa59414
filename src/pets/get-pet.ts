import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Pet, petOperations } from "./contract.ts";
import { requirePet } from "./require-pet.ts";

/** @throws ServiceError `not_found` */
export async function getPet(ctx: Context, { petId }: Input<typeof petOperations.getPet>): Promise<Pet> {
  return requirePet(ctx.query, petId);
}
