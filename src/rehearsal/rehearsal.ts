import type { Database } from "../storage/database.ts";
import { members, numberColumn, singleRow, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";

interface RehearsalRow {
  /** Difference between the test clock and the real time, in milliseconds. It is positive if the test clock is ahead. */
  readonly offsetMs: number;
  /** Identifies the contents of staging. It changes with each reset, and is empty before the first reset. */
  readonly storeId: string;
}

export const selectRehearsal: Statement<[], RehearsalRow> = statement(
  "SELECT clock_offset, store_id FROM rehearsal",
  members({ offsetMs: () => numberColumn("clock_offset"), storeId: textColumn }),
);

/** Staging's test clock and store identifier. They are cached, so that requests need not read them from the database. */
export interface Rehearsal extends RehearsalRow {
  /**
   * Reads the test clock and the store identifier again. Once the promise resolves, this process knows all changes that were
   * committed before the call.
   */
  reload(): Promise<void>;
  /** Registers a callback, which is called when this process learns that staging has been reset. */
  onReset(call: () => void): void;
  close(): Promise<void>;
}

/**
 * The payload that announces a new test clock or store identifier. It differs from the payload that announces events, which is only
 * the name of the database schema.
 */
const ANNOUNCED = "staging:rehearsal";

export async function openRehearsal(
  database: Pick<Database, "read" | "subscribe">,
  onError: (error: unknown) => void,
): Promise<Rehearsal> {
  let row: RehearsalRow = { offsetMs: 0, storeId: "" };
  let reading = Promise.resolve();
  const calls: (() => void)[] = [];

  async function read() {
    const { storeId } = row;
    row = singleRow(await database.read(selectRehearsal, []));
    if (row.storeId !== storeId) for (const call of calls) call();
  }
  /**
   * Reads the test clock and the store identifier again. Only one read runs at a time, so that an older result never replaces a
   * newer one.
   */
  function reload() {
    reading = reading.then(read, read);
    return reading;
  }
  const feed = await database.subscribe("events", (announced) => {
    if (announced === undefined || announced === ANNOUNCED) reload().catch(onError);
  });
  await reload();
  return {
    get offsetMs() {
      return row.offsetMs;
    },
    get storeId() {
      return row.storeId;
    },
    reload,
    onReset: (call) => void calls.push(call),
    close: feed.close,
  };
}
