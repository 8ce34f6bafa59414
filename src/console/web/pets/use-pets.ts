import type { Int64 } from "exact-json/int64";
import { useEffect, useRef } from "preact/hooks";
import { isBlank } from "../../../pets/blank.ts";
import type { Pet } from "../../../pets/contract.ts";
import { missing, refreshed, useNewsAnnounced } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";

/** The number of rows that are shown at first, and that "Load more" adds each time. */
const ROWS = 50;

interface PetPage extends Page<Versioned<Pet>> {
  readonly filter: string;
}

export interface PetList extends Loaded<PetPage> {
  more(): Promise<void>;
  /**
   * Updates the animals on screen to the given versions immediately, because the person may make the next change before the
   * events arrive.
   */
  put(rows: readonly Versioned<Pet>[]): void;
}

/** The list as it was when the person left it. It is shown immediately when the person comes back. */
let left: PetPage | undefined;

/** Loads the animals that match a filter, and updates them live. */
export function usePets(filter: Query): PetList {
  const key = JSON.stringify(filter);
  const latest = useRef(route.value.isReturn && left?.filter === key ? left : undefined);
  const reading = useRef<Promise<unknown>>(undefined);

  async function load(signal: AbortSignal): Promise<PetPage> {
    const shown = latest.current?.filter === key ? latest.current.items.length : 0;
    const page = await readPets(filter, { count: Math.max(ROWS, shown), signal });
    latest.current = { ...page, filter: key };
    return latest.current;
  }
  const pets = useLoad<PetPage>(
    (signal) => {
      const read = load(signal);
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
    // Waits for a load that is already running, instead of restarting it, because a load that restarts at every change would
    // never end in a busy store.
    await reading.current;
    if (latest.current === undefined) return pets.reload();
    const { items } = latest.current;
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
    put(rows) {
      const byId = new Map(rows.map((row) => [row.id, row]));
      pets.update((shown) => ({ ...shown, items: shown.items.map((item) => byId.get(item.id) ?? item) }));
    },
    async more() {
      // Waits for a load that is still running, which would otherwise replace the added rows.
      await reading.current;
      const found = await readPets(filter, { count: ROWS, cursor: latest.current?.next });
      pets.update((shown) =>
        shown.filter === key ? { ...shown, ...found, items: [...shown.items, ...found.items] } : shown,
      );
    },
  };
}

/** The maximum number of animals that one request may ask for, with `limit` or by their identifiers. */
const REQUEST_ROWS_MAX = 100;
/** The maximum number of rows of the list that are read again after a change. */
const LIVE_ROWS_MAX = 500;

interface Reading {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads pages until it has `count` animals or the list ends, because a page of a search may contain fewer animals, or none. */
export async function readPets(
  filter: Query,
  { count, cursor, signal }: Reading,
): Promise<Page<Versioned<Pet>>> {
  const items: Versioned<Pet>[] = [];
  let next = cursor;
  if (!canMatch(filter)) return { items, next: undefined };
  do {
    const limit = String(Math.min(REQUEST_ROWS_MAX, count - items.length));
    const page = await callPage<Versioned<Pet>>("/pets", {
      query: { ...filter, limit, cursor: next },
      signal,
    });
    items.push(...page.items);
    ({ next } = page);
  } while (next !== undefined && items.length < count);
  return { items, next };
}

/**
 * Reads the newest animals that match the filter, and reads the animals on screen again by their identifiers. It does not repeat
 * the whole search.
 */
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

/** Returns false if the search text of a filter is blank, because the service refuses such a text. */
function canMatch({ name }: Query): boolean {
  return name === undefined || !isBlank(name);
}
