import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { countEvents, searchEventSince, selectOldestEvent } from "./count-store.ts";
import type { EventType } from "./event.ts";
import { selectNewestEventId } from "./page-store.ts";

export const DAY_SETTLED_MS = 60_000; // after a day's end, from which on its counts are kept: above what a commit takes
const DAY_COUNTS_CACHED_MAX = 10_000; // days, of all time zones, whose counts a process keeps; then it counts anew

/** The events that are kept. */
export interface Log {
  /** When the first of them was made. */
  readonly since: number;
  /** The lowest identifier. */
  readonly first: number;
  /** Above every identifier. */
  readonly end: number;
  /** The identifier from which on events are from a time or later; `end` where none is. */
  search(at: number): Promise<number>;
}

/** The log as it is now; undefined without an event. */
export async function openLog(query: Query): Promise<Log | undefined> {
  const [oldest] = await query(selectOldestEvent, []);
  if (oldest === undefined) return undefined;
  const end = Number(singleRow(await query(selectNewestEventId, []))) + 1;
  const searched = new Map<number, Promise<number>>();
  const step = 2 ** Math.floor(Math.log2(end - oldest.id));
  const search = async (at: number) => singleRow(await query(searchEventSince, [oldest.id, step, at]));
  return {
    since: oldest.createdAt,
    first: oldest.id,
    end,
    search(at) {
      const found = searched.get(at) ?? search(at);
      searched.set(at, found);
      return found;
    },
  };
}

/** A day of somebody's time zone: it begins at `from` and ends before `to`, which is undefined for today. */
export interface Day {
  readonly from: number;
  readonly to: number | undefined;
}

type CountDay = (query: Query, log: Log, day: Day, now: number) => Promise<readonly number[]>;

/**
 * Counts the events of some types in a day, each up to a maximum. A day that is over is counted once by a process: its events
 * do not change.
 */
export function createDayCounter(types: readonly EventType[], maximum: number): CountDay {
  const counted = new Map<string, readonly number[]>();
  let end = 0;
  return async (query, log, { from, to }, now) => {
    // A log that has become shorter, or begins behind its end of before, is another one.
    if (log.end < end || log.first >= end || counted.size >= DAY_COUNTS_CACHED_MAX) counted.clear();
    end = log.end;
    const name = `${from} ${to}`;
    const known = counted.get(name);
    if (known !== undefined) return known;
    const first = await log.search(from);
    const behind = to === undefined ? log.end : await log.search(to);
    const counts = await Promise.all(
      types.map(async (type) => singleRow(await query(countEvents, [type, first, behind, maximum]))),
    );
    if (to !== undefined && to + DAY_SETTLED_MS < now) counted.set(name, counts);
    return counts;
  };
}
