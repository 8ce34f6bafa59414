import { statSync } from "node:fs";
import { type ServiceError, unavailable } from "../../errors.ts";
import { FileGoneError } from "../database.ts";
import type { Writer } from "./group-commit.ts";

/**
 * Checks with `stat` that a database's file and its log have not been moved, replaced or removed. It never opens them, because
 * closing a file would release SQLite's locks (POSIX, fcntl).
 *
 * @param file the database file; an open connection must already have read from it
 * @param onGone called once, when a check finds that a file is gone; if absent, only callers of `requireInPlace` get an error
 */
export function watchFile(file: string, onGone?: (error: FileGoneError) => void) {
  const files = [file, `${file}-wal`].map((path) => ({ path, ...identityOf(path) }));
  let gone: ServiceError | undefined;

  function look() {
    if (gone !== undefined) return;
    const changed = files.find((known) => isAnother(known, known.path));
    if (changed === undefined) return;
    const error = new FileGoneError(
      `${changed.path} was removed, replaced or truncated while it was in use.`,
    );
    gone = unavailable(
      "A file of the store was removed or replaced, so the change may or may not have been made.",
      error,
    );
    onGone?.(error);
  }

  return {
    /** Checks that the file and its log are still there, and calls `onGone` if they are not. A timer calls this. Never throws. */
    look,
    /**
     * Throws an error if the file or its log was removed or replaced, or if the file was emptied. @throws ServiceError
     * `unavailable`
     */
    requireInPlace() {
      look();
      if (gone !== undefined) throw gone;
    },
    isInPlace() {
      look();
      return gone === undefined;
    },
  };
}

type FileWatch = ReturnType<typeof watchFile>;

interface FileIdentity {
  readonly inode: number | undefined;
  readonly device: number | undefined;
  readonly isEmpty: boolean;
}

function identityOf(path: string): FileIdentity {
  const found = statSync(path, { throwIfNoEntry: false });
  return { inode: found?.ino, device: found?.dev, isEmpty: found?.size === 0 };
}

/**
 * True if a file was removed or replaced. An emptied database file counts as removed, but an emptied log does not. False if the
 * disk does not answer, because that proves nothing.
 */
function isAnother({ inode, device }: FileIdentity, path: string): boolean {
  try {
    const now = identityOf(path);
    const isEmptied = now.isEmpty && !path.endsWith("-wal");
    return isEmptied || now.inode !== inode || now.device !== device;
  } catch {
    return false;
  }
}

/** Wraps a writer so that a commit fails if its file was moved, replaced or removed during the commit. */
export function watched(writer: Writer, { requireInPlace }: FileWatch): Writer {
  return {
    ...writer,
    commit() {
      writer.commit();
      requireInPlace();
    },
  };
}
