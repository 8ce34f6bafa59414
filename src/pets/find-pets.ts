import type { Found } from "../contract/cursor.ts";
import {
  LONG_ROWS_READ,
  PAGE_BYTES_MAX,
  SEARCH_CHARACTERS_MAX,
  SEARCH_PETS_MAX,
  SEARCH_ROWS_MAX,
} from "../limits.ts";
import type { Query } from "../storage/database.ts";
import type { Pet } from "./contract.ts";
import { type PetFilter, selectPetPage } from "./store.ts";
import { nameMatcher } from "./words.ts";

type Filter = PetFilter & { readonly below: bigint };

/** Up to `count` animals that meet a filter and have these words in their names, newest first. */
export async function findPets(
  query: Query,
  filter: Filter,
  words: readonly string[],
  count: number,
): Promise<Found<Pet>> {
  const look = createLook(words, count);
  let { below } = filter;
  for (let rows = count; ; rows = look.rowsAfter(rows)) {
    const { statement, values } = selectPetPage({ ...filter, below }, rows);
    const pets = await query(statement, values);
    const isOver = look.at(pets);
    const last = pets.at(-1);
    if (last === undefined || pets.length < rows) return { items: look.found };
    below = BigInt(last.id);
    if (isOver) return { items: look.found, end: below };
    // Other requests go first: on an embedded engine nothing above has let them.
    await new Promise(setImmediate);
  }
}

/** What a search has looked at so far. */
function createLook(words: readonly string[], count: number) {
  const matches = nameMatcher(words);
  const found: Pet[] = [];
  let pets = 0;
  let characters = 0;
  let foundCharacters = 0;
  let isLong = false;
  return {
    found,
    /** Looks at animals; yields whether the page is full, or has cost enough. */
    at(candidates: readonly Pet[]): boolean {
      const before = characters;
      for (const pet of candidates) {
        characters += pet.name.length;
        if (!matches(pet.name)) continue;
        found.push(pet);
        foundCharacters += pet.name.length;
      }
      pets += candidates.length;
      isLong = characters - before > PAGE_BYTES_MAX / 4;
      // A page has at least one animal: the one behind it shows that there is a next page.
      const isPageFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
      return isPageFull || pets >= SEARCH_PETS_MAX || characters > SEARCH_CHARACTERS_MAX;
    },
    /** How many animals the next statement reads, after one that has read `rows`: few where their names are long. */
    rowsAfter(rows: number): number {
      if (isLong) return LONG_ROWS_READ;
      return Math.min(2 * rows, SEARCH_ROWS_MAX, SEARCH_PETS_MAX - pets);
    },
  };
}
