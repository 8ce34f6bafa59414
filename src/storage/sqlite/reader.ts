import type { Database as Connection } from "bun:sqlite";
import type { DataVersion, Query } from "../database.ts";

/** Reading, in transactions that nobody sees. */
export interface Reader {
  readonly read: Query;
  /** Lets go of what is being read from, so that the log behind it can be written back. */
  end(): void;
}

/**
 * Reads of one turn of the event loop share a transaction, which saves each of them the locks: as long as nothing has been
 * committed since it began, by whichever process, it shows what a new one would.
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
    // What it shows is fixed by the first read: that is no earlier than the version which was asked for before.
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
