import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { refreshed } from "../components/live-page.ts";
import { useNewsAnnounced } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import type { Query } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { type FoundPets, type Reading, readAgain, readPets } from "./read-pets.ts";

/** Rows at first, and those that each "Load more" adds. */
const ROWS = 50;

export interface PetPage extends FoundPets {
  /** What its animals match. */
  readonly filter: string;
}

export interface PetList extends Loaded<PetPage> {
  /** A search goes on after its first request; what it has found is in the list. */
  readonly isSearching: boolean;
  /** Ends it with what was found. */
  stop(): void;
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
  const { find, isSearching, stop } = useSearch(filter, key);

  async function load(signal: AbortSignal, show: (part: PetPage) => void): Promise<PetPage> {
    const shown = latest.current?.filter === key ? latest.current.items.length : 0;
    const page = await find({ count: Math.max(ROWS, shown), signal }, (part) => {
      // A reload takes no row away until it is done.
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
    // A search that every change begins anew never ends in a busy store.
    if (isSearching()) await reading.current;
    // What is being read may be from before the change.
    else if (pets.isLoading || value === undefined) return pets.reload();
    const fresh = await readAgain(filter, latest.current?.items ?? []);
    pets.update((shown) => {
      if (shown.filter !== key) return shown;
      if (shown.items.length > 0) return refreshed(shown, { ...shown, ...fresh }, "pet");
      return fresh.items.length > 0 ? { ...shown, ...fresh } : shown;
    });
  });
  useNewsAnnounced(value?.news);
  return {
    ...pets,
    isSearching: isSearching(),
    stop,
    async more() {
      // What is being read would take the place of the rows that are added.
      await reading.current;
      const before = latest.current;
      let added = 0;
      function append(found: PetPage): void {
        const items = found.items.slice(added);
        added = found.items.length;
        const looked = (before?.looked ?? 0) + found.looked;
        pets.update((shown) => ({ ...found, items: [...shown.items, ...items], looked }));
      }
      append(await find({ count: ROWS, cursor: before?.next }, append));
    },
  };
}

/** Reads animals; what is found on the way is shown, and `stop` ends a search with it. */
function useSearch(filter: Query, key: string) {
  const search = useSignal<AbortController | undefined>(undefined);

  async function find(reading: Reading, show: (part: PetPage) => void): Promise<PetPage> {
    const stop = new AbortController();
    const signals = [stop.signal, ...(reading.signal ? [reading.signal] : [])];
    let found: PetPage | undefined;
    function onPart(part: FoundPets): void {
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
