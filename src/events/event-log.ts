import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";
import { STREAMS_MAX } from "../limits.ts";
import { createSemaphore, withPermit } from "../platform/semaphore.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { LoggedEvent } from "./event.ts";
import { requireAssigned, requireKept } from "./list-events.ts";
import { type EventFilter, eventIn, selectEventPage, selectLogEnd, selectRemoved } from "./store.ts";

const REPLAYS_MAX = 4; // maximum number of pages of past events that one process reads at the same time for the streams of one environment; further reads wait
const REPLAY_WAIT_MS = 60_000; // longest time that a stream waits to read a page of past events; after that, the stream is closed

/** An event, and the identifier of the animal that it is about. */
export interface LogEntry {
  readonly event: LoggedEvent;
  readonly petId: Int64 | undefined;
}

/** Creates the functions that an environment's streams use to read its event log. */
export function createEventLog(
  { read, wholeTables }: Pick<Database, "read" | "wholeTables">,
  environment: Environment,
) {
  const replays = createSemaphore({ permits: REPLAYS_MAX, queueMax: STREAMS_MAX, waitMs: REPLAY_WAIT_MS });

  async function readPage(
    filter: EventFilter,
    above: bigint,
    below: bigint,
    count: number,
  ): Promise<readonly LogEntry[]> {
    const { statement, values } = selectEventPage(filter, { order: "asc", above, below }, count);
    return (await read(statement, values)).map((stored) => ({
      event: eventIn(environment, stored),
      petId: stored.petId,
    }));
  }

  /** Reads the position of the log's end. Up to this position, the log is complete. */
  const readEnd = async () => singleRow(await read(selectLogEnd, []));

  return {
    readEnd,
    /** Reads the first events after a position. `isRemoved` is true if an event after that position has already been deleted. */
    async readNew(above: bigint, count: number) {
      const end = await readEnd();
      if (end <= above) return { entries: [], isRemoved: false };
      const entries = await readPage({}, above, end + 1n, count);
      const [removed = 0n] = await read(selectRemoved, []);
      return { entries, isRemoved: removed > above };
    },
    /** Reads past events between two positions. @throws ServiceError `cursor_expired` if any of them has been deleted */
    async replay(filter: EventFilter, above: bigint, below: bigint, count: number) {
      const entries = await withPermit(replays, () => readPage(filter, above, below, count));
      await requireKept(read, above);
      return entries;
    },
    /** Checks that no event after `after` has been deleted. @throws ServiceError `cursor_expired` */
    requireKept: (after: bigint) => requireKept(read, after),
    /**
     * Checks that `after` is not above the last identifier that any process has assigned to an event. @throws ServiceError
     * `invalid_request`
     */
    requireAssigned: (after: bigint) => requireAssigned(wholeTables, after),
  };
}

export type EventLog = ReturnType<typeof createEventLog>;
