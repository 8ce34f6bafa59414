import type { Database as Connection } from "bun:sqlite";
import { unavailable } from "../../errors.ts";
import type { DataVersion, Query } from "../database.ts";
import { asServiceError } from "./errors.ts";
import type { Health } from "./health.ts";

/**
 * Creates a reader. All reads in the same turn of the event loop share one transaction with its locks, unless there is a commit
 * between them.
 */
export function createReader(
  connection: Connection,
  query: Query,
  version: () => DataVersion,
  { onReadFailure }: Pick<Health, "onReadFailure">,
) {
  const beginning = connection.query("BEGIN");
  const ending = connection.query("COMMIT");
  const undoing = connection.query("ROLLBACK");
  let seen: DataVersion | undefined;
  let closing: ReturnType<typeof setImmediate> | undefined;

  function end() {
    clearImmediate(closing);
    closing = undefined;
    seen = undefined;
    // After a failed read, ending the transaction reports the error of that read again. The error is ignored, because the
    // transaction ends anyway.
    for (const statement of [ending, undoing]) {
      try {
        if (connection.inTransaction) statement.run();
      } catch {}
    }
  }

  function begin(current: DataVersion) {
    end();
    if (connection.inTransaction) throw unavailable("The store cannot be read right now. Try again.");
    // The version of the data is read before the snapshot, so the snapshot is at least as new as the version.
    beginning.run();
    seen = current;
    closing = setImmediate(end);
  }

  function reading(currentVersion: () => DataVersion): Query {
    const read: Query = (statement, values) => {
      try {
        const current = currentVersion();
        if (seen !== current) begin(current);
      } catch (error) {
        onReadFailure(error, () => read(statement, values));
        throw asServiceError(error);
      }
      return query(statement, values);
    };
    return read;
  }

  return {
    /** Ends the open transaction, so that the log can be copied to the database file. Never throws. */
    end,
    read: reading(version),
    /** Works like `read`, for a caller that has just read the version of the data and passes it. */
    readAt: (known: DataVersion) => reading(() => known),
  };
}

export type Reader = ReturnType<typeof createReader>;
