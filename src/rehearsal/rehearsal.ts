import type { Database } from "../storage/database.ts";
import { members, numberColumn, singleRow, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";

interface RehearsalRow {
  /** Milliseconds by which the test clock is ahead. */
  readonly offsetMs: number;
  /** Identifies staging's contents: changes with each reset, empty before the first. */
  readonly storeId: string;
}

export const selectRehearsal: Statement<[], RehearsalRow> = statement(
  "SELECT clock_offset, store_id FROM rehearsal",
  members({ offsetMs: () => numberColumn("clock_offset"), storeId: textColumn }),
);

/** Staging's test clock and store id. They are cached, so that no request reads them from the store. */
export interface Rehearsal extends RehearsalRow {
  /** Reads test clock and store id again. Resolves when this process has all changes that were committed before the call. */
  reload(): Promise<void>;
  /** Registers a callback for each reset of staging that this process learns of. */
  onReset(call: () => void): void;
  close(): Promise<void>;
}

/** Payload that announces a change of test clock or store id. The payload for events is the name of the schema alone. */
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
  /** Reads test clock and store id again. Only one read runs at a time, so that an older row never replaces a newer one. */
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
