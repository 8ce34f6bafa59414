import { Database as Connection } from "bun:sqlite";
import { createMissingFile } from "../platform/owned-files.ts";
import { isLocked } from "./sqlite/errors.ts";

/**
 * Locks a file until the lock is disposed or the process dies. The file is created if it is missing; it stays empty and needs no
 * space on the disk. The holder of the lock must not open the file in another way: closing any descriptor of it would release
 * the lock (POSIX).
 *
 * @returns undefined if another process, or this one, holds the lock
 * @throws SQLiteError if the file cannot be created or locked
 */
export function lockExclusively(file: string): Disposable | undefined {
  createMissingFile(file);
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    // A journal on disk would need space, which a full disk does not have.
    connection.run("PRAGMA journal_mode = MEMORY");
    connection.run("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => connection.close() };
}
