import type { Pet } from "../../../pets/contract.ts";
import { wordsOf } from "../../../pets/words.ts";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";

/** Animals of one request, and identifiers. */
const REQUEST_ROWS_MAX = 100;
/** Rows that are read again when something has changed. */
const LIVE_ROWS_MAX = 500;
/** Animals that one request of a search looks at, as the contract says of `name`. */
const LOOKED_PER_REQUEST = 20_000;

export interface FoundPets extends Page<Versioned<Pet>> {
  /** About how many animals the requests of a search looked at that did not fill the page. */
  readonly looked: number;
}

export interface Reading {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with all that a search has read so far, after each request that did not fill the page. */
  readonly onPart?: (part: FoundPets) => void;
}

/** Follows `next` until there are `count` animals, or the list ends: a page of a search may hold fewer, or none. */
export async function readPets(
  filter: Query,
  { count, cursor, signal, onPart }: Reading,
): Promise<FoundPets> {
  if (!canMatch(filter)) return { items: [], next: undefined, looked: 0 };
  const items: Versioned<Pet>[] = [];
  let next = cursor;
  for (let looked = 0; ; ) {
    const limit = String(Math.min(REQUEST_ROWS_MAX, count - items.length));
    const query = { ...filter, limit, cursor: next };
    const page = await callPage<Versioned<Pet>>("/pets", { query, signal });
    items.push(...page.items);
    ({ next } = page);
    if (next === undefined || items.length >= count) return { items, next, looked };
    if (filter["name"] === undefined) continue;
    looked += LOOKED_PER_REQUEST;
    onPart?.({ items: [...items], next, looked });
  }
}

/** The newest animals that match, and those that are shown as they are now: a search is not made again for them. */
export async function readAgain(filter: Query, shown: readonly Pet[]): Promise<Page<Versioned<Pet>>> {
  if (!canMatch(filter)) return { items: [], next: undefined };
  const limit = String(REQUEST_ROWS_MAX);
  const newest = await callPage<Versioned<Pet>>("/pets", { query: { ...filter, limit } });
  if (newest.next === undefined) return newest;
  const items = [...newest.items];
  const end = items.at(-1)?.id;
  const older = shown.filter(({ id }) => end === undefined || id < end).map(({ id }) => String(id));
  for (let index = 0; index < Math.min(older.length, LIVE_ROWS_MAX); index += REQUEST_ROWS_MAX) {
    const id = older.slice(index, index + REQUEST_ROWS_MAX).join();
    items.push(...(await callPage<Versioned<Pet>>("/pets", { query: { ...filter, limit, id } })).items);
  }
  const isWhole = older.length > 0 && older.length <= LIVE_ROWS_MAX;
  return { items, next: isWhole ? undefined : newest.next };
}

/** The service refuses a text without a word. */
function canMatch({ name }: Query): boolean {
  return name === undefined || wordsOf(name).length > 0;
}
