import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { change } from "../events/change.ts";
import type { Pet, petOperations } from "./contract.ts";
import { openOrderError } from "./open-order-error.ts";
import { requirePet } from "./require-pet.ts";
import { patchPet } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_has_open_order` */
export async function updatePet(ctx: Context, input: Input<typeof petOperations.updatePet>): Promise<Pet> {
  const { petId, body: patch } = input;
  const { name = null, categoryId = null, status, ...rest } = patch;
  rest satisfies Record<string, never>;
  const how = status === undefined ? "keep" : "set";
  const before = await requirePet(ctx.query, petId);
  const pet = await change(ctx, patchPet, [petId, name, categoryId, how, status ?? null], {
    before,
  });
  if (pet === undefined) throw await openOrderError(ctx.query, petId);
  return pet;
}
