import { useSignal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { wordsOf } from "../../../pets/words.ts";
import { missing, refreshed, useNewsAnnounced } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";

/** Number of rows at first, and that each "Load more" adds. */
const ROWS = 50;

export interface PetPage extends FoundPets {
  readonly filter: string;
}

export interface PetList extends Loaded<PetPage> {
  /** True while a search continues after its first request; the list shows its animals so far. */
  readonly isSearching: boolean;
  /** Ends the search; the animals found so far stay. */
  stop(): void;
  more(): Promise<void>;
}

/** The last list of the previous visit, which Back shows at once. */
let left: PetPage | undefined;

/** Loads the animals that match a filter, and updates them live. */
export function usePets(filter: Query): PetList {
  const key = JSON.stringify(filter);
  const latest = useRef(route.value.isReturn && left?.filter === key ? left : undefined);
  const reading = useRef<Promise<unknown>>(undefined);
  const { find, isSearching, stop } = useSearch(filter, key);

  async function load(signal: AbortSignal, show: (part: PetPage) => void): Promise<PetPage> {
    const shown = latest.current?.filter === key ? latest.current.items.length : 0;
    const page = await find({ count: Math.max(ROWS, shown), signal }, (part) => {
      // Partial results of a reload must not remove rows.
      if (part.items.length >= shown) show(part);
    });
    latest.current = page;
    return page;
  }
  const pets = useLoad<PetPage>(
    (signal, show) => {
      const read = load(signal, show);
      reading.current = read.catch(() => {});
      return read;
    },
    [key],
    latest.current,
  );
  const { value } = pets;
  latest.current = value;
  useEffect(
    () => () => {
      left = latest.current;
    },
    [],
  );

  useLive(["pet"], async () => {
    // In a busy store, a search that restarts at every change never ends.
    if (isSearching()) await reading.current;
    // A running request may have begun before the change.
    else if (pets.isLoading || value === undefined) return pets.reload();
    const items = latest.current?.items ?? [];
    const fresh = await readAgain(filter, items);
    const changed = await readByIds({}, missing(items, fresh));
    pets.update((shown) => {
      if (shown.filter !== key) return shown;
      if (shown.items.length > 0) return refreshed(shown, { ...shown, ...fresh }, "pet", changed);
      return fresh.items.length > 0 ? { ...shown, ...fresh } : shown;
    });
  });
  useNewsAnnounced(value?.news);
  return {
    ...pets,
    isSearching: isSearching(),
    stop,
    async more() {
      // A running request would replace the added rows.
      await reading.current;
      const before = latest.current;
      let added = 0;
      function append(found: PetPage) {
        const items = found.items.slice(added);
        added = found.items.length;
        const looked = (before?.looked ?? 0) + found.looked;
        pets.update((shown) => ({ ...found, items: [...shown.items, ...items], looked }));
      }
      append(await find({ count: ROWS, cursor: before?.next }, append));
    },
  };
}

/** Reads animals and shows partial results; `stop` ends a search with what it has found. */
function useSearch(filter: Query, key: string) {
  const search = useSignal<AbortController | undefined>(undefined);

  async function find(reading: Reading, show: (part: PetPage) => void): Promise<PetPage> {
    const stop = new AbortController();
    const signals = [stop.signal, ...(reading.signal ? [reading.signal] : [])];
    let found: PetPage | undefined;
    function onPart(part: FoundPets) {
      found = { ...part, filter: key };
      search.value = stop;
      show(found);
    }
    try {
      const page = await readPets(filter, { ...reading, signal: AbortSignal.any(signals), onPart });
      return { ...page, filter: key };
    } catch (error) {
      if (found !== undefined && stop.signal.aborted) return found;
      throw error;
    } finally {
      if (search.value === stop) search.value = undefined;
    }
  }
  return {
    find,
    isSearching: () => search.value !== undefined,
    stop: () => search.value?.abort(),
  };
}

/** Maximum number of animals, and of identifiers, in a request. */
const REQUEST_ROWS_MAX = 100;
/** Maximum number of rows read again after a change. */
const LIVE_ROWS_MAX = 500;
/** Number of animals that one request of a search scans, by the contract of `name`. */
const LOOKED_PER_REQUEST = 20_000;

interface FoundPets extends Page<Versioned<Pet>> {
  /** Approximate number of animals scanned by requests that did not fill the page. */
  readonly looked: number;
}

interface Reading {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with everything found so far, after each request that did not fill the page. */
  readonly onPart?: (part: FoundPets) => void;
}

/** Follows `next` until there are `count` animals, or the list ends: a page of a search may have fewer, or none. */
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

/** The newest animals that match, and the current values of shown ones by id, without another search. */
async function readAgain(filter: Query, shown: readonly Pet[]): Promise<Page<Versioned<Pet>>> {
  if (!canMatch(filter)) return { items: [], next: undefined };
  const limit = String(REQUEST_ROWS_MAX);
  const newest = await callPage<Versioned<Pet>>("/pets", { query: { ...filter, limit } });
  if (newest.next === undefined) return newest;
  const end = newest.items.at(-1)?.id;
  const older = shown.map(({ id }) => id).filter((id) => end === undefined || id < end);
  const items = [...newest.items, ...(await readByIds(filter, older))];
  const isWhole = older.length > 0 && older.length <= LIVE_ROWS_MAX;
  return { items, next: isWhole ? undefined : newest.next };
}

async function readByIds(filter: Query, ids: readonly Int64[]): Promise<readonly Versioned<Pet>[]> {
  const items: Versioned<Pet>[] = [];
  for (let index = 0; index < Math.min(ids.length, LIVE_ROWS_MAX); index += REQUEST_ROWS_MAX) {
    const id = ids.slice(index, index + REQUEST_ROWS_MAX).join();
    const query = { ...filter, limit: String(REQUEST_ROWS_MAX), id };
    items.push(...(await callPage<Versioned<Pet>>("/pets", { query })).items);
  }
  return items;
}

/** True unless a filter's search text has no word: the service refuses such a text. */
function canMatch({ name }: Query): boolean {
  return name === undefined || wordsOf(name).length > 0;
}
