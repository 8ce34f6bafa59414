import { noRows, type Statement } from "../statement.ts";

const ANNOUNCE_PAUSE_MS = 25; // pause between two announcements by one process; all commits during the pause share the next announcement, because PostgreSQL executes only one NOTIFY at a time

/** Announces to all processes of the store that a database's event log has new rows. */
export const announceEvents: Statement<[prefix: string, database: string]> = {
  sql: "SELECT pg_notify($1 || 'petstore_events', $2)",
  decode: noRows,
};

/**
 * Creates an announcer, which tells other processes that rows were added to the event log. If an announcement fails, nothing is
 * lost, because these processes also poll, and read the log again after each reconnection.
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
     * Call this after each transaction that has added rows to the log. Call it after a rollback, too: readers do not read past an
     * open transaction, so they have been waiting for it to end.
     */
    onAppended() {
      isDue = true;
      running ??= announceAll();
    },
    close: () => running,
  };
}
