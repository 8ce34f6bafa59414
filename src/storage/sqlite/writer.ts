import type { Database as Connection } from "bun:sqlite";
import { basename } from "node:path";
import { ServiceError, unavailable } from "../../errors.ts";
import { DatabaseClosedError } from "../database.ts";
import { createQuery, untilUnlocked } from "./connection.ts";
import { asServiceError, isDamage, isDiskError, leavesLogUnknown } from "./errors.ts";
import type { Writer } from "./group-commit.ts";

const OUTCOME_UNKNOWN =
  "Writing to the store failed, so the change may or may not have been made. Check before you try again, or try again with the same Idempotency-Key.";

/** A writer. After a failed commit that leaves the content of the disk unknown, it refuses all further work. */
export interface SqliteWriter extends Writer {
  onFatalIoError?: (error: unknown) => void;
  closed?: ServiceError;
  /** Throws an error for a failed commit. If the failure leaves the content of the log unknown, this first closes the database. */
  fail(error: unknown): never;
}

/** Creates the writer for a connection. @param onFailure called with the error when a statement fails */
export function createWriter(
  connection: Connection,
  onFailure: (error: unknown) => void = () => {},
): SqliteWriter {
  const prepared = (sql: string): (() => void) => {
    const ready = connection.query(sql);
    return () => {
      try {
        ready.run();
      } catch (error) {
        throw asServiceError(error);
      }
    };
  };
  // An immediate transaction takes the write lock at the beginning. With WAL, a transaction that begins with a read may be unable
  // to write later.
  const begin = connection.query("BEGIN IMMEDIATE");
  const commit = connection.query("COMMIT");
  const undone = unavailable("The store could not be written. Try again.");
  const writer: SqliteWriter = {
    query: createQuery(connection, { onFailure }),
    async begin() {
      if (writer.closed !== undefined) throw writer.closed;
      writer.rollback();
      await untilUnlocked(() => void begin.run()).catch((error: unknown) => {
        throw asServiceError(error);
      });
    },
    commit() {
      try {
        commit.run();
      } catch (error) {
        writer.fail(error);
      }
    },
    fail(error) {
      if (!isDiskError(error)) throw asServiceError(error);
      if (writer.onFatalIoError === undefined || !leavesLogUnknown(error))
        throw unavailable(OUTCOME_UNKNOWN, error);
      const text = `The ${basename(connection.filename, ".sqlite")} database is closed: a write to its disk failed. Check the disk, then restart the service.`;
      // The error that waiting writes get has no cause. Otherwise, the cause would be logged for each of them.
      writer.closed = unavailable(text, undefined, DatabaseClosedError);
      writer.onFatalIoError(error);
      throw unavailable(OUTCOME_UNKNOWN, undefined, DatabaseClosedError);
    },
    rollback() {
      // The rollback is skipped if no transaction is open: a failed commit may already have ended the transaction, or no
      // transaction has begun.
      try {
        if (connection.inTransaction) connection.run("ROLLBACK");
      } catch {
        // A failed rollback is ignored here, because the next transaction tries it again. If that fails, too, the transaction
        // cannot begin.
      }
    },
    requireTransaction() {
      if (!connection.inTransaction) throw undone;
    },
    isUndone: (error) =>
      error === undone ||
      (error instanceof ServiceError && isDamage(error.cause) && !connection.inTransaction),
    savepoint: prepared("SAVEPOINT work"),
    releaseSavepoint: prepared("RELEASE work"),
    rollbackToSavepoint: prepared("ROLLBACK TO work"),
  };
  return writer;
}
