import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { onlyRow } from "../storage/row.ts";
import type { Pet, petOperations } from "./contract.ts";
import { requirePet } from "./require-pet.ts";
import { replacePet } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function updatePet(ctx: Context, input: Input<typeof petOperations.updatePet>): Promise<Pet> {
  const { petId, body: patch } = input;
  const pet = await requirePet(ctx.query, petId);
  const { name = pet.name, categoryId = pet.categoryId, status = pet.status } = patch;
  return onlyRow(await ctx.query(replacePet, [petId, name, categoryId, status ?? null]));
}
