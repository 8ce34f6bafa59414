import { type Context, keyIdOf } from "../context.ts";
import type { Found } from "../contract/cursor.ts";
import { LONG_ROWS_READ, PAGE_BYTES_MAX, SEARCH_PETS_MAX } from "../limits.ts";
import { inTurn } from "../platform/turns.ts";
import type { Pet } from "./contract.ts";
import { type PetFilter, readPets } from "./store.ts";
import { folded, foldedMatcher } from "./words.ts";

const SEARCH_CHARACTERS_MAX = 2 * 1024 * 1024; // characters of names that one request of a search scans; its page then ends, with a `next`
const STEP_CHARACTERS_MAX = 32 * 1024; // characters of names that a search scans between two turns: about 1 ms
export const SEARCH_ROWS_MAX = 250; // rows in one statement of a search: other requests run after it

interface Search {
  readonly ctx: Context;
  readonly filter: PetFilter;
  readonly words: readonly string[];
  readonly count: number;
}

/**
 * Finds animals whose names have all words, newest first. Stops before the page is full once `SEARCH_PETS_MAX` animals or
 * `SEARCH_CHARACTERS_MAX` characters of names have been scanned.
 */
export async function findPets({ ctx, filter, words, count }: Search): Promise<Found<Pet>> {
  const matches = foldedMatcher(words);
  const found: Pet[] = [];
  let foundCharacters = 0;
  let scannedCharacters = 0;
  let stepEnd = STEP_CHARACTERS_MAX;
  let scanned = 0;
  for await (const { pets, end } of readBatches(ctx, filter, count)) {
    for (const pet of pets) {
      // This animal is the first of the next page.
      if (scanned++ === SEARCH_PETS_MAX) return { items: found, end: BigInt(pet.id) + 1n };
      const text = folded(pet.name);
      if (matches(text)) {
        found.push(pet);
        foundCharacters += pet.name.length;
      }
      scannedCharacters += Math.max(text.length, pet.name.length);
      if (scannedCharacters > stepEnd) {
        await inTurn(keyIdOf(ctx.actor), () => {});
        stepEnd = scannedCharacters + STEP_CHARACTERS_MAX;
      }
      // The rest of the batch is left to the next page: a thousand names of 64 kB take seconds.
      if (scannedCharacters > SEARCH_CHARACTERS_MAX) return { items: found, end: BigInt(pet.id) };
    }
    // At least one animal a page; the one after it shows that there is a next page.
    const isFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
    if (isFull) return { items: found, end };
  }
  return { items: found };
}

/** Reads the filtered animals in batches, newest first. `end` is the last identifier of a batch that another may follow. */
async function* readBatches({ query, actor }: Context, filter: PetFilter, firstRows: number) {
  // Other requests run after each step: an embedded engine's reads are synchronous.
  const read = (below: bigint, rows: number) =>
    inTurn(keyIdOf(actor), () => readPets(query, { ...filter, below }, rows));
  let { below } = filter;
  for (let rows = firstRows; ; ) {
    const pets = await read(below, rows);
    const last = pets.length < rows ? undefined : pets.at(-1);
    yield { pets, end: last && BigInt(last.id) };
    if (last === undefined) return;
    below = BigInt(last.id);
    const characters = pets.reduce((sum, { name }) => sum + name.length, 0);
    rows = characters > PAGE_BYTES_MAX / 4 ? LONG_ROWS_READ : Math.min(2 * rows, SEARCH_ROWS_MAX);
  }
}
