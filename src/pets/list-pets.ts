import type { Context } from "../context.ts";
import { pageOf, readCursor } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Pet, petOperations } from "./contract.ts";
import { selectPetPage } from "./store.ts";

export async function listPets(
  ctx: Context,
  input: Input<typeof petOperations.listPets>,
): Promise<Page<Pet>> {
  const { limit, status, categoryId, id: ids } = input;
  const scope = ["listPets", status, categoryId, ids];
  const below = readCursor(input.cursor, scope);
  const { statement, values } = selectPetPage({ status, categoryId, ids, below }, limit + 1);
  return pageOf(await ctx.query(statement, values), limit, scope);
}
