import { type Context, keyIdOf } from "../context.ts";
import type { Found } from "../contract/cursor.ts";
import { SEARCH_PETS_MAX } from "../limits.ts";
import { inTurn } from "../platform/turns.ts";
import type { Pet } from "./contract.ts";
import { type PetFilter, readPets } from "./store.ts";
import { nameMatcher } from "./words.ts";

export const SEARCH_ROWS_MAX = 250; // rows in one statement of a search: other requests run after it

interface Search {
  readonly ctx: Context;
  readonly filter: PetFilter;
  readonly words: readonly string[];
  readonly count: number;
}

/** Finds animals whose names have all words, newest first. Stops before the page is full once `SEARCH_PETS_MAX` were scanned. */
export async function findPets({ ctx, filter, words, count }: Search): Promise<Found<Pet>> {
  const matches = nameMatcher(words);
  const found: Pet[] = [];
  let scanned = 0;
  for await (const { pets, end } of readBatches(ctx, filter, count)) {
    for (const pet of pets) {
      // This animal is the first of the next page.
      if (scanned++ === SEARCH_PETS_MAX) return { items: found, end: BigInt(pet.id) + 1n };
      if (matches(pet.name)) found.push(pet);
    }
    if (found.length >= count) return { items: found, end };
  }
  return { items: found };
}

/** Reads the filtered animals in batches, newest first. `end` is the last identifier of a batch that another may follow. */
async function* readBatches({ query, actor }: Context, filter: PetFilter, firstRows: number) {
  let { below } = filter;
  for (let rows = firstRows; ; rows = Math.min(2 * rows, SEARCH_ROWS_MAX)) {
    // Other requests run after each step: an embedded engine's reads are synchronous.
    const pets = await inTurn(keyIdOf(actor), () => readPets(query, { ...filter, below }, rows));
    const last = pets.length < rows ? undefined : pets.at(-1);
    yield { pets, end: last && BigInt(last.id) };
    if (last === undefined) return;
    below = BigInt(last.id);
  }
}
