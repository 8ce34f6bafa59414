import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Pet, petOperations } from "./contract.ts";
import { requirePet } from "./require-pet.ts";

/** @throws ServiceError `not_found` */
export function getPet(ctx: Context, { petId }: Input<typeof petOperations.getPet>): Maybe<Pet> {
  return requirePet(ctx.query, petId);
}
