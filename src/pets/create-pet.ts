import type { ValuesOf } from "../storage/database.ts";
import type { NewPet } from "./contract.ts";
import type { insertPet } from "./store.ts";

/** The row of a new pet. */
export function createPet({ name, categoryId, status, ...rest }: NewPet): ValuesOf<typeof insertPet> {
  rest satisfies Record<string, never>;
  return [name, categoryId, status ?? null];
}
