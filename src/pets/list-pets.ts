import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Pet, petOperations } from "./contract.ts";
import { selectPetPage } from "./store.ts";

export async function listPets(
  ctx: Context,
  input: Input<typeof petOperations.listPets>,
): Promise<Page<Pet>> {
  const { status, categoryId, id: ids } = input;
  return readPage(ctx.actor, input, ["listPets", status, categoryId, ids], (below, count) => {
    const { statement, values } = selectPetPage({ status, categoryId, ids, below }, count);
    return ctx.query(statement, values);
  });
}
