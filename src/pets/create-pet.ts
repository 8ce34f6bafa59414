import type { NewPet } from "./contract.ts";
import type { PetRow } from "./store.ts";

/** The row of a new pet. */
export function createPet({ name, categoryId, status, ...rest }: NewPet): PetRow {
  rest satisfies Record<string, never>;
  return [name, categoryId, status ?? null];
}
