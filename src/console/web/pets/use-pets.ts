import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { refreshed } from "../components/live-page.ts";
import { useNewsAnnounced } from "../components/paged-list.tsx";
import { useLive } from "../events/live.ts";
import type { Page, Query, Versioned } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { REQUEST_ROWS_MAX, readPets } from "./read-pets.ts";

/** Rows at first, and those that each "Load more" adds. */
const ROWS = 50;
/** Rows that are read again when something has changed. */
const LIVE_ROWS_MAX = 500;

export interface PetPage extends Page<Versioned<Pet>> {
  /** What its animals match. */
  readonly filter: string;
}

interface PetList extends Loaded<PetPage> {
  /** About how many animals a search under way has looked at; 0 without one. */
  readonly looked: number;
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
  const looked = useSignal(0);
  const isStopped = useRef(false);
  async function search(count: number, from: { cursor?: string | undefined; signal?: AbortSignal }) {
    isStopped.current = false;
    const onLooked = (count: number): boolean => {
      looked.value = count;
      return !isStopped.current;
    };
    try {
      return { ...(await readPets(filter, { ...from, count, onLooked })), filter: key };
    } finally {
      looked.value = 0;
    }
  }
  async function load(signal: AbortSignal): Promise<PetPage> {
    const shown = latest.current?.filter === key ? latest.current.items.length : 0;
    const page = await search(Math.max(ROWS, shown), { signal });
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
    // What is new is among the newest: one request of a search is enough.
    const page = await readPets(filter, {
      count: Math.min(LIVE_ROWS_MAX, Math.max(REQUEST_ROWS_MAX, value.items.length)),
      onLooked: () => filter["name"] === undefined,
    });
    const fresh = { ...page, filter: key };
    if (fresh.items.length > 0 || fresh.next === undefined)
      pets.update((shown) => (shown.items.length === 0 ? fresh : refreshed(shown, fresh, "pet")));
  });
  useNewsAnnounced(value?.news);
  return {
    ...pets,
    looked: looked.value,
    stop() {
      isStopped.current = true;
    },
    async more() {
      // What is being read would take the place of the rows that are added.
      await reading.current;
      const added = await search(ROWS, { cursor: latest.current?.next });
      pets.update((shown) => ({ ...added, items: [...shown.items, ...added.items] }));
    },
  };
}
