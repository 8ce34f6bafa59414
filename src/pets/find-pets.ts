import type { Found } from "../contract/cursor.ts";
import {
  ID_FILTER_MAX,
  LONG_ROWS_READ,
  PAGE_BYTES_MAX,
  POSTINGS_MAX,
  SEARCH_CHARACTERS_MAX,
  SEARCH_PETS_MAX,
  SEARCH_ROWS_MAX,
  SEARCHED_WORDS_MAX,
} from "../limits.ts";
import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { Pet } from "./contract.ts";
import { type PetFilter, selectPetPage } from "./store.ts";
import { LONG_NAMES, rangeOf, selectIndexed, selectPostings } from "./word-store.ts";
import { folded, foldedMatcher } from "./words.ts";

interface Search {
  readonly query: Query;
  readonly filter: PetFilter & { readonly below: bigint };
  readonly words: readonly string[];
  /** How many animals to find. */
  readonly count: number;
  /** Has words kept, for as long as a request may wait. */
  readonly catchUp: () => Promise<void>;
}

/** Animals to look at. */
interface Candidates {
  readonly pets: readonly Pet[];
  /** How many identifiers were looked at for them. */
  readonly count: number;
  /** Each with a higher identifier has been looked at; undefined: no other is left. */
  readonly end: bigint | undefined;
}

type Look = ReturnType<typeof createLook>;

/** Animals that meet a filter and have these words in their names, newest first. */
export async function findPets(search: Search): Promise<Found<Pet>> {
  const look = createLook(search);
  for await (const candidates of candidatesOf(search, look)) {
    const over = look.at(candidates);
    if (over !== undefined) return { items: look.found, end: over.end };
    if (candidates.end === undefined) break;
    // Other requests go first: on an embedded engine nothing above has let them.
    await new Promise(setImmediate);
  }
  return { items: look.found };
}

/** Animals without kept words, then those that may have the words: few are read from the index, many are met soon enough. */
async function* candidatesOf(search: Search, look: Look): AsyncGenerator<Candidates> {
  const { query, filter, words, catchUp } = search;
  const mark = filter.ids === undefined ? await readMark(query, catchUp) : 0n;
  let end: bigint | undefined = filter.below;
  if (end > mark + 1n) {
    for await (const candidates of scan(search, look, { below: end, downTo: mark })) {
      yield candidates;
      end = candidates.end;
    }
  }
  if (end === undefined) return;
  const postings = await fewPostings(query, words);
  if (postings === undefined) yield* scan(search, look, { below: end, downTo: 0n });
  else yield* read(search, look, belowIn(postings, end));
}

async function readMark(query: Query, catchUp: () => Promise<void>): Promise<bigint> {
  const indexed = singleRow(await query(selectIndexed, []));
  if (indexed.waiting <= SEARCH_PETS_MAX) return indexed.lastId;
  await catchUp();
  return singleRow(await query(selectIndexed, [])).lastId;
}

/** Those that meet the filter, down to an identifier at least. */
async function* scan(
  { query, filter }: Search,
  look: Look,
  { below, downTo }: { readonly below: bigint; readonly downTo: bigint },
): AsyncGenerator<Candidates> {
  for (let end: bigint | undefined = below; end !== undefined && end > downTo; ) {
    const rows = look.rows();
    const { statement, values } = selectPetPage({ ...filter, below: end }, rows);
    const pets: readonly Pet[] = await query(statement, values);
    const last = pets.length < rows ? undefined : pets.at(-1);
    end = last && BigInt(last.id);
    yield { pets, count: pets.length, end };
  }
}

/** Those of these identifiers that meet the filter. */
async function* read(
  { query, filter }: Search,
  look: Look,
  ids: readonly number[],
): AsyncGenerator<Candidates> {
  for (let index = 0; index < ids.length; ) {
    const some = ids.slice(index, index + Math.min(look.rows(), ID_FILTER_MAX));
    index += some.length;
    const { statement, values } = selectPetPage({ ...filter, ids: some }, some.length);
    const pets = await query(statement, values);
    yield { pets, count: some.length, end: index < ids.length ? BigInt(some.at(-1) ?? 0) : undefined };
  }
}

/** The animals that may have one of the words, the one that fewest have; undefined where each of them is in many names. */
async function fewPostings(query: Query, words: readonly string[]): Promise<readonly number[] | undefined> {
  let fewest: readonly number[] | undefined;
  const longest = words.toSorted((one, other) => other.length - one.length);
  for (const word of longest.slice(0, SEARCHED_WORDS_MAX)) {
    const postings = await query(selectPostings, rangeOf(word));
    if (postings.length < (fewest?.length ?? POSTINGS_MAX + 1)) fewest = postings;
  }
  const long = fewest && (await query(selectPostings, LONG_NAMES));
  return long === undefined || long.length > POSTINGS_MAX ? undefined : fewest?.concat(long);
}

/** Each once, the highest first. */
function belowIn(ids: readonly number[], below: bigint): readonly number[] {
  return [...new Set(ids)].filter((id) => id < below).sort((one, other) => other - one);
}

/** What a search has looked at so far. */
function createLook({ words, count }: Pick<Search, "words" | "count">) {
  const matches = foldedMatcher(words);
  const found: Pet[] = [];
  let rows = count;
  let pets = 0;
  let characters = 0;
  let foundCharacters = 0;
  return {
    found,
    /** Looks at animals; yields where the search ends, if the page is full or has cost enough. */
    at({ pets: some, count: looked, end }: Candidates): Pick<Candidates, "end"> | undefined {
      const before = characters;
      for (const pet of some) {
        const text = folded(pet.name);
        characters += Math.max(text.length, pet.name.length);
        if (matches(text)) {
          found.push(pet);
          foundCharacters += pet.name.length;
        }
        // The others that were read are left to the next page: to look at a thousand of 64 kB takes seconds.
        if (characters > SEARCH_CHARACTERS_MAX) return { end: BigInt(pet.id) };
      }
      pets += looked;
      rows = characters - before > PAGE_BYTES_MAX / 4 ? LONG_ROWS_READ : Math.min(2 * rows, SEARCH_ROWS_MAX);
      // A page has at least one animal: the one behind it shows that there is a next page.
      const isPageFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
      return isPageFull || pets >= SEARCH_PETS_MAX ? { end } : undefined;
    },
    /** How many animals the next statement reads: few where names are long. */
    rows: () => Math.min(rows, SEARCH_PETS_MAX - pets),
  };
}
