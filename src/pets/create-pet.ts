import type { Input } from "../contract/operation.ts";
import type { ValuesOf } from "../storage/database.ts";
import type { petOperations } from "./contract.ts";
import type { insertPet } from "./store.ts";

type NewPet = Input<typeof petOperations.createPet>["body"];

/** The row of a new pet. */
export function createPet({ name, categoryId, status, ...rest }: NewPet): ValuesOf<typeof insertPet> {
  rest satisfies Record<string, never>;
  return [name, categoryId, status ?? null];
}
