import { selectLogEnd } from "../events/store.ts";
import { inTurn } from "../platform/turns.ts";
import type { Query } from "../storage/database.ts";
import { members, nullable, numberColumn, singleRow } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { DayCounts } from "./contract.ts";

const DAY_COUNTS_CACHED_MAX = 10_000; // maximum number of days whose counts are cached, over all time zones; a full cache is cleared
const EVENTS_PER_STEP = 5_000; // the maximum number of events that one statement counts, which takes about a millisecond

export interface Log {
  readonly since: number;
  readonly first: number;
  /** One more than the identifier of the newest event in the log. */
  readonly end: number;
  /** Returns the identifier of the first event at or after a time, or `end` if there is none. */
  search(at: number): Promise<number>;
}

export async function openLog(query: Query): Promise<Log | undefined> {
  const [oldest] = await query(selectOldestEvent, []);
  if (oldest === undefined) return undefined;
  // While an open transaction may still commit an event, `selectLogEnd` can return an identifier that is lower than that of the
  // oldest event.
  const end = Math.max(Number(singleRow(await query(selectLogEnd, []))) + 1, oldest.id);
  const step = 2 ** Math.floor(Math.log2(end - oldest.id));
  const searched = new Map<number, Promise<number>>();
  const search = async (at: number) => singleRow(await query(searchEventSince, [oldest.id, step, at]));
  return {
    since: oldest.createdAt,
    first: oldest.id,
    end,
    search(at) {
      // The end of a day is also the start of the next day, so each search result is cached.
      const found = searched.get(at) ?? search(at);
      searched.set(at, found);
      return found;
    },
  };
}

type CountDays = (query: Query, log: Log, starts: readonly number[]) => Promise<readonly DayCounts[]>;

/**
 * Creates a function that counts the animals sold and the animals added on each day. Its parameter `starts` contains the start
 * time of each day; the last day is today. It leaves out days before the oldest event in the log. Each call counts only the
 * events since the previous call.
 */
export function createDayCounter(): CountDays {
  const sold = createRangeCounter(countSold);
  const added = createRangeCounter(countAdded);
  let end = 0;
  /** Clears outdated counts: all counts if the log has been replaced, and the counts of sales if somebody has undone a sale. */
  async function forgetOutdated(query: Query, log: Log) {
    const isReplaced = log.end < end || log.first >= end;
    const isTakenBack = !isReplaced && (await query(selectTakenBack, [end, log.end])).length > 0;
    if (isReplaced || isTakenBack) sold.forget();
    if (isReplaced) added.forget();
    end = log.end;
  }
  return async (query, log, starts) => {
    await forgetOutdated(query, log);
    const days = starts.map((from, index): Day => ({ from, to: starts[index + 1] }));
    const known = days.filter(({ to }) => to === undefined || to > log.since);
    return Promise.all(
      known.map(async (day) => ({
        from: day.from,
        sold: await sold.count(query, log, day),
        added: await added.count(query, log, day),
      })),
    );
  };
}

interface Day {
  readonly from: number;
  /** The end of the counted day, which is the start of the next day. Undefined for today. */
  readonly to: number | undefined;
}

interface Counted {
  readonly count: number;
  /** One more than the identifier of the last counted event. */
  readonly end: number;
  /** True if the day's count is final, because the log already contains a later event. */
  readonly isWhole: boolean;
}

/** Creates a counter for one kind of event. For each day, it remembers the last event that it has counted. */
function createRangeCounter(statement: CountEvents) {
  const counted = new Map<string, Promise<Counted>>();

  async function countOn(query: Query, log: Log, { from, to }: Day, before: Counted): Promise<Counted> {
    if (before.isWhole) return before;
    const end = to === undefined ? log.end : await log.search(to);
    const start = before.end > 0 ? before.end : await log.search(from);
    if (end <= start) return { ...before, isWhole: end < log.end };
    const count = before.count + (await countEvents(query, statement, start, end));
    return { count, end, isWhole: end < log.end };
  }
  return {
    async count(query: Query, log: Log, day: Day): Promise<number> {
      if (counted.size >= DAY_COUNTS_CACHED_MAX) counted.clear();
      const name = `${day.from} ${day.to}`;
      // A request waits until earlier requests have counted the same day, so that no event is counted twice.
      const before = counted.get(name) ?? Promise.resolve({ count: 0, end: 0, isWhole: false });
      const counting = before.then((found) => countOn(query, log, day, found));
      counted.set(name, counting);
      counting.catch(() => counted.delete(name));
      return (await counting).count;
    },
    forget: () => counted.clear(),
  };
}

/** Counts events in steps, and lets other requests run between two steps. */
async function countEvents(query: Query, statement: CountEvents, from: number, to: number): Promise<number> {
  let total = 0;
  let start = from;
  for (;;) {
    const count = () => query(statement, [start, to, EVENTS_PER_STEP]);
    const { found, last } = singleRow(await (total === 0 ? count() : inTurn(query, count)));
    total += found;
    if (found < EVENTS_PER_STEP || last === null) return total;
    start = last + 1;
  }
}

export const selectOldestEvent: Statement<[], { readonly id: number; readonly createdAt: number }> =
  statement(
    "SELECT id, created_at FROM event WHERE id > 0 ORDER BY id LIMIT 1",
    members({ id: numberColumn, createdAt: numberColumn }),
  );

/**
 * Finds the first event that happened at time `at` or later. If there is no such event, returns one more than the highest
 * identifier. Later events have higher identifiers (unless somebody has corrected the clock), so this is a binary search for an
 * identifier. It begins at `first` and covers 2 × `step` − 1 identifiers, where `step` is a power of two.
 */
export const searchEventSince: Statement<[first: number, step: number, at: number], number> = statement(
  `WITH RECURSIVE range_of (id, step) AS (
      SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT)
      UNION ALL
      SELECT CASE WHEN (SELECT created_at FROM event WHERE event.id >= range_of.id + step - 1
            ORDER BY event.id LIMIT 1) < $3 THEN id + step ELSE id END, step / 2
        FROM range_of WHERE step > 0
    )
    SELECT id FROM range_of WHERE step = 0`,
  numberColumn("id"),
);

type CountEvents = Statement<
  [from: number, to: number, limit: number],
  { readonly found: number; readonly last: number | null }
>;

/**
 * Creates a statement that counts matching events with identifiers from `from` (inclusive) to `to` (exclusive), but stops after
 * `limit` events. It also returns the identifier of the last counted event.
 */
function counting(condition: string): CountEvents {
  return statement(
    `SELECT count(*) AS found, max(id) AS last FROM (SELECT id FROM event WHERE ${condition} AND id >= $1 AND id < $2
      ORDER BY id LIMIT CAST($3 AS BIGINT)) AS range_counted`,
    members({ found: numberColumn, last: nullable(numberColumn) }),
  );
}

/**
 * Counts how often an animal's status was changed to sold, by an order or by hand. Sales that were undone are not counted. An
 * animal that was added with the status sold is not counted either, because importing a list is not a sale.
 */
export const countSold =
  counting(`data LIKE '%"status":"sold"%' AND previous LIKE '%"status":%' AND NOT EXISTS
      (SELECT 1 FROM event AS range_later WHERE range_later.pet_id = event.pet_id AND range_later.type = 'pet.updated'
        AND range_later.id > event.id AND range_later.previous LIKE '%"status":"sold"%')`);
export const countAdded = counting("type = 'pet.created'");

/**
 * Selects the first event with an identifier from `from` (inclusive) to `to` (exclusive) that undid a sale. Selects nothing if
 * there is no such event.
 */
const selectTakenBack: Statement<[from: number, to: number], number> = statement(
  `SELECT id FROM event WHERE type = 'pet.updated' AND id >= $1 AND id < $2 AND previous LIKE '%"status":"sold"%'
    ORDER BY id LIMIT 1`,
  numberColumn("id"),
);
