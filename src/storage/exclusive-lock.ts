import { Database as Connection } from "bun:sqlite";
import { createMissingFile } from "../platform/owned-files.ts";
import { isLocked } from "./sqlite/errors.ts";

/**
 * Locks a file until the lock is disposed or the process dies. If the file does not exist, it is created. The file stays empty and
 * uses no disk space. The process that holds the lock must not open the file by any other means: closing any file descriptor of the
 * file would release the lock (POSIX).
 *
 * @returns undefined if this process or another process already holds the lock
 * @throws SQLiteError if the file cannot be created or locked
 */
export function lockExclusively(file: string): Disposable | undefined {
  createMissingFile(file);
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    // The journal of the lock file is kept in memory, so that locking also works on a full disk.
    connection.run("PRAGMA journal_mode = MEMORY");
    connection.run("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => connection.close() };
}
