import type { Pet } from "../../../pets/contract.ts";
import { wordsOf } from "../../../pets/words.ts";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";

/** Animals of one request. */
export const REQUEST_ROWS_MAX = 100;
/** Animals that one request of a search looks at, as the contract says of `name`. */
const LOOKED_PER_REQUEST = 20_000;

interface Reading {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after a request that has not filled the page, with about how many animals were looked at; false stops. */
  readonly onLooked?: (looked: number) => boolean;
}

/** Follows `next` until there are `count` animals, or the list ends: a page of a search may hold fewer, or none. */
export async function readPets(
  filter: Query,
  { count, cursor, signal, onLooked = () => true }: Reading,
): Promise<Page<Versioned<Pet>>> {
  const items: Versioned<Pet>[] = [];
  const { name } = filter;
  if (name !== undefined && wordsOf(name).length === 0) return { items, next: undefined };
  let next = cursor;
  for (let looked = LOOKED_PER_REQUEST; ; looked += LOOKED_PER_REQUEST) {
    const limit = String(Math.min(REQUEST_ROWS_MAX, count - items.length));
    const query = { ...filter, limit, cursor: next };
    const page = await callPage<Versioned<Pet>>("/pets", { query, signal });
    items.push(...page.items);
    ({ next } = page);
    if (next === undefined || items.length >= count || !onLooked(looked)) return { items, next };
  }
}
