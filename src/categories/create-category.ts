import type { ValuesOf } from "../storage/database.ts";
import type { NewCategory } from "./contract.ts";
import type { insertCategory } from "./store.ts";

/** The row of a new category. */
export function createCategory({ name, description, ...rest }: NewCategory): ValuesOf<typeof insertCategory> {
  rest satisfies Record<string, never>;
  return [name, description ?? null];
}
