import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { type RehearsalRow, selectRehearsal } from "./store.ts";

/** What a process knows of the rehearsal in staging: no request reads it from the store. */
export interface Rehearsal extends RehearsalRow {
  /** Resolves when this process has what was committed before. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** As the announcements of the row's changes name it: those of events name the schema alone. */
const ANNOUNCED = "staging:rehearsal";

export async function openRehearsal(
  database: Pick<Database, "read" | "subscribe">,
  onError: (error: unknown) => void,
): Promise<Rehearsal> {
  let row: RehearsalRow = { offsetMs: 0, storeId: "" };
  let reading = Promise.resolve();

  async function read(): Promise<void> {
    row = singleRow(await database.read(selectRehearsal, []));
  }
  /** One behind the other: an older row never takes the place of a newer one. */
  function reload(): Promise<void> {
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
    close: feed.close,
  };
}
