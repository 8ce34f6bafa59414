import type { Context } from "../context.ts";
import { readFoundPage, readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { PAGE_SIZE_DEFAULT } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Pet, petOperations } from "./contract.ts";
import { findPets } from "./find-pets.ts";
import { selectPetPage } from "./store.ts";
import { wordsOf } from "./words.ts";

export function listPets(ctx: Context, input: Input<typeof petOperations.listPets>): Maybe<Page<Pet>> {
  const { status, categoryId, name, id: ids, cursor } = input;
  const limit = input.limit ?? ids?.length ?? PAGE_SIZE_DEFAULT;
  if (name !== undefined) {
    const words = wordsOf(name);
    const query = ["listPets", status, categoryId, ids, words] as const;
    return readFoundPage(ctx, { limit, cursor }, query, (below, count) =>
      findPets({ query: ctx.query, filter: { status, categoryId, ids, below }, words, count }),
    );
  }
  return readPage(ctx, { limit, cursor }, ["listPets", status, categoryId, ids], (below, count) => {
    const { statement, values } = selectPetPage({ status, categoryId, ids, below }, count);
    return ctx.query(statement, values);
  });
}
