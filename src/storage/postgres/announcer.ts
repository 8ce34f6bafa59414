import { noRows, type Statement } from "../statement.ts";

const ANNOUNCE_PAUSE_MS = 25; // pause between two announcements of one process, which commits share: NOTIFY serializes them

/** Announces new rows in a log of a database to all processes of the store. */
export const announceEvents: Statement<[prefix: string, database: string]> = {
  sql: "SELECT pg_notify($1 || 'petstore_events', $2)",
  decode: noRows,
};

/**
 * Creates the announcer of appended rows. If it fails, nothing is lost, because readers also poll, and read after each
 * reconnection.
 */
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
    /**
     * Called after each transaction that has appended rows. It is called even after a rollback, because readers wait for the end
     * of the transaction.
     */
    onAppended() {
      isDue = true;
      running ??= announceAll();
    },
    close: () => running,
  };
}
