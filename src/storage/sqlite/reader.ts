import type { Database as Connection } from "bun:sqlite";
import type { DataVersion, Query } from "../database.ts";

/** Reads that share transactions. */
export interface Reader {
  readonly read: Query;
  /** Ends the open transaction, so that the log can be written back. */
  end(): void;
}

/**
 * Reads of one turn of the event loop share a transaction, which saves each of them the locks: as long as nothing has been
 * committed since it began, by any process, it shows what a new one would.
 */
export function createReader(connection: Connection, query: Query, version: () => DataVersion): Reader {
  const beginning = connection.query("BEGIN");
  const ending = connection.query("COMMIT");
  let seen: DataVersion | undefined;
  let closing: ReturnType<typeof setImmediate> | undefined;

  function end(): void {
    clearImmediate(closing);
    closing = undefined;
    seen = undefined;
    if (connection.inTransaction) ending.run();
  }

  function begin(current: DataVersion): void {
    end();
    // The first read fixes what it shows: no earlier than the version that was read before.
    beginning.run();
    seen = current;
    closing = setImmediate(end);
  }

  return {
    end,
    read(statement, values) {
      const current = version();
      if (seen !== current) begin(current);
      return query(statement, values);
    },
  };
}
