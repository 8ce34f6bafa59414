import type { Input } from "../contract/operation.ts";
import type { ValuesOf } from "../storage/database.ts";
import type { petOperations } from "./contract.ts";
import type { insertPet } from "./store.ts";

/** The row of a new pet. */
export function createPet({
  name,
  categoryId,
  status,
}: Input<typeof petOperations.createPet>["body"]): ValuesOf<typeof insertPet> {
  return [name, categoryId, status ?? null];
}
