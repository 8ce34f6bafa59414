import type { Found } from "../contract/cursor.ts";
import { LONG_ROWS_READ, PAGE_BYTES_MAX, SEARCH_PETS_MAX } from "../limits.ts";
import type { Query } from "../storage/database.ts";
import type { Pet } from "./contract.ts";
import { type PetFilter, selectPetPage } from "./store.ts";
import { folded, foldedMatcher } from "./words.ts";

const SEARCH_CHARACTERS_MAX = 2 * 1024 * 1024; // of their names; then the same
const SEARCH_ROWS_MAX = 250; // in one statement of a search: other requests go on after it

interface Search {
  readonly query: Query;
  readonly filter: PetFilter & { readonly below: bigint };
  readonly words: readonly string[];
  /** How many animals to find. */
  readonly count: number;
}

/**
 * Animals that meet a filter and have these words in their names, newest first. Reads them in steps, and ends before the page is
 * full once `SEARCH_PETS_MAX` animals, or `SEARCH_CHARACTERS_MAX` of their names, were looked at.
 */
export async function findPets({ query, filter, words, count }: Search): Promise<Found<Pet>> {
  const look = createLook(words, count);
  for (let end = filter.below; ; ) {
    const rows = look.rows();
    const { statement, values } = selectPetPage({ ...filter, below: end }, rows);
    const pets = await query(statement, values);
    const last = pets.length < rows ? undefined : pets.at(-1);
    const over = look.at(pets, last && BigInt(last.id));
    if (over !== undefined) return { items: look.found, end: over.end };
    if (last === undefined) return { items: look.found };
    end = BigInt(last.id);
    // Other requests go first: on an embedded engine nothing above has let them.
    await new Promise(setImmediate);
  }
}

/** The animals that a search has looked at so far. */
function createLook(words: readonly string[], count: number) {
  const matches = foldedMatcher(words);
  const found: Pet[] = [];
  let rows = count;
  let looked = 0;
  let characters = 0;
  let foundCharacters = 0;
  return {
    found,
    /**
     * Looks at animals; yields where the search ends, if the page is full or has cost enough.
     *
     * @param end the identifier below which the others are; undefined after the last one
     */
    at(pets: readonly Pet[], end: bigint | undefined): { readonly end: bigint | undefined } | undefined {
      const before = characters;
      for (const pet of pets) {
        const text = folded(pet.name);
        characters += Math.max(text.length, pet.name.length);
        if (matches(text)) {
          found.push(pet);
          foundCharacters += pet.name.length;
        }
        // The others that were read are left to the next page: to look at a thousand of 64 kB takes seconds.
        if (characters > SEARCH_CHARACTERS_MAX) return { end: BigInt(pet.id) };
      }
      looked += pets.length;
      rows = characters - before > PAGE_BYTES_MAX / 4 ? LONG_ROWS_READ : Math.min(2 * rows, SEARCH_ROWS_MAX);
      // A page has at least one animal: the one behind it shows that there is a next page.
      const isPageFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
      return isPageFull || looked >= SEARCH_PETS_MAX ? { end } : undefined;
    },
    /** How many animals the next statement reads: few where names are long. */
    rows: () => Math.min(rows, SEARCH_PETS_MAX - looked),
  };
}
