import { noRows, type Statement } from "../statement.ts";

const ANNOUNCE_PAUSE_MS = 25; // pause between two announcements of one process, which commits share: NOTIFY serializes them

/** Announces new rows of a database's log to all processes of its store. */
export const announceEvents: Statement<[prefix: string, database: string]> = {
  sql: "SELECT pg_notify($1 || 'petstore_events', $2)",
  decode: noRows,
};

/** Creates the announcer of appended rows. A failure does no harm, because readers also poll, and read after each reconnection. */
export function createAnnouncer(announce: () => Promise<unknown>) {
  let isDue = false;
  let running: Promise<void> | undefined;

  async function announceAll() {
    while (isDue) {
      isDue = false;
      await announce().catch(() => {});
      await Bun.sleep(ANNOUNCE_PAUSE_MS);
    }
    running = undefined;
  }

  return {
    /** Called after each transaction that has appended rows, even if it was rolled back, because readers wait for its end. */
    onAppended() {
      isDue = true;
      running ??= announceAll();
    },
    close: () => running,
  };
}
