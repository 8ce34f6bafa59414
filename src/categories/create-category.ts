import type { Input } from "../contract/operation.ts";
import type { ValuesOf } from "../storage/database.ts";
import type { categoryOperations } from "./contract.ts";
import type { insertCategory } from "./store.ts";

/** The row of a new category. */
export function createCategory({
  name,
  description,
}: Input<typeof categoryOperations.createCategory>["body"]): ValuesOf<typeof insertCategory> {
  return [name, description ?? null];
}
