import type { Input } from "../contract/operation.ts";
import type { ValuesOf } from "../storage/database.ts";
import type { categoryOperations } from "./contract.ts";
import type { insertCategory } from "./store.ts";

type NewCategory = Input<typeof categoryOperations.createCategory>["body"];

/** The row of a new category. */
export function createCategory({ name, description, ...rest }: NewCategory): ValuesOf<typeof insertCategory> {
  rest satisfies Record<string, never>;
  return [name, description ?? null];
}
