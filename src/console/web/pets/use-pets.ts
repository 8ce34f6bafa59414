import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { wordsOf } from "../../../pets/words.ts";
import { refreshed } from "../components/live-page.ts";
import { useNewsAnnounced } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";

/** Rows at first, and those that each "Load more" adds. */
const ROWS = 50;
/** Of one request. */
const REQUEST_ROWS_MAX = 100;
/** Rows that are read again when something has changed. */
const LIVE_ROWS_MAX = 500;
/** Animals that one request of a search looks at, as the contract says of `name`. */
const LOOKED_PER_REQUEST = 20_000;
/** Animals that a search looks at by itself; then the person says whether it goes on. */
const LOOKED_MAX = 10 * LOOKED_PER_REQUEST;

export interface PetPage extends Page<Versioned<Pet>> {
  /** What its animals match. */
  readonly filter: string;
  /** About how many animals a search has looked at without finding a page of them. */
  readonly looked: number;
}

interface PetList extends Loaded<PetPage> {
  /** Adds the rows that follow. */
  more(): Promise<void>;
}

/** The list as the person left it: Back shows it again at once. */
let left: PetPage | undefined;

/** The animals that match, kept up to date. */
export function usePets(filter: Query): PetList {
  const key = JSON.stringify(filter);
  const latest = useRef(route.value.isReturn && left?.filter === key ? left : undefined);
  const reading = useRef<Promise<unknown>>(undefined);
  async function load(signal: AbortSignal): Promise<PetPage> {
    const shown = latest.current?.filter === key ? latest.current.items.length : 0;
    const page = await readRows(filter, { count: Math.max(ROWS, shown), signal });
    latest.current = page;
    return page;
  }
  const pets = useLoad(
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
    // What is being read may be from before the change.
    if (pets.isLoading || value === undefined) return pets.reload();
    const fresh = await readRows(filter, {
      count: Math.min(LIVE_ROWS_MAX, Math.max(REQUEST_ROWS_MAX, value.items.length)),
    });
    if (fresh.items.length > 0 || fresh.next === undefined)
      pets.update((shown) => (shown.items.length === 0 ? fresh : refreshed(shown, fresh, "pet")));
  });
  useNewsAnnounced(value?.news);
  return {
    ...pets,
    async more() {
      // What is being read would take the place of the rows that are added.
      await reading.current;
      const added = await readRows(filter, { count: ROWS, cursor: latest.current?.next });
      pets.update((shown) => ({
        ...added,
        items: [...shown.items, ...added.items],
        looked: added.looked && shown.looked + added.looked,
      }));
    },
  };
}

interface Reading {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads on until there are as many rows; a page may hold fewer than were asked for. */
async function readRows(filter: Query, { count, cursor, signal }: Reading): Promise<PetPage> {
  const items: Versioned<Pet>[] = [];
  let next = cursor;
  let looked = 0;
  const isPossible = filter["name"] === undefined || wordsOf(filter["name"]).length > 0;
  while (isPossible && looked < LOOKED_MAX) {
    const limit = String(Math.min(REQUEST_ROWS_MAX, count - items.length));
    const page = await callPage<Versioned<Pet>>("/pets", {
      query: { ...filter, limit, cursor: next },
      signal,
    });
    items.push(...page.items);
    next = page.next;
    if (next === undefined || items.length >= count) break;
    looked += LOOKED_PER_REQUEST;
  }
  return { items, next, filter: JSON.stringify(filter), looked: items.length < count ? looked : 0 };
}
