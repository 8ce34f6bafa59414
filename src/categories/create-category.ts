import type { NewCategory } from "./contract.ts";
import type { CategoryRow } from "./store.ts";

/** The row of a new category. */
export function createCategory({ name, description, ...rest }: NewCategory): CategoryRow {
  rest satisfies Record<string, never>;
  return [name, description ?? null];
}
