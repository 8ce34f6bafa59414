import { noRows, type Statement } from "../statement.ts";

const ANNOUNCE_PAUSE_MS = 25; // pause between two announcements by one process; commits share an announcement, because PostgreSQL serializes NOTIFY

/** Announces to all of the store's processes that a database's log has new rows. */
export const announceEvents: Statement<[prefix: string, database: string]> = {
  sql: "SELECT pg_notify($1 || 'petstore_events', $2)",
  decode: noRows,
};

/**
 * Creates an announcer, which tells other processes that rows were appended. If an announcement fails, nothing is lost, because
 * readers also poll, and read again after each reconnection.
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
     * Called after each transaction that has appended rows, even if it was rolled back, because readers wait for the end of the
     * transaction.
     */
    onAppended() {
      isDue = true;
      running ??= announceAll();
    },
    close: () => running,
  };
}
