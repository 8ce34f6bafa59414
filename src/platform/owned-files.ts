import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

// If root runs a command, the files that it creates get the owner of their folder, because the service runs as that user. The
// owner is changed by descriptor (fchown) of the file just created, so that nobody can make root change another file by a link.

interface NewFile {
  /** Content of the file; empty if left out. */
  readonly text?: string;
  /** File or folder whose owner and group the new file gets if root creates it; its folder if left out. */
  readonly like?: string;
}

/** Creates a file, readable by its owner only. @throws Error with code EEXIST if there is anything with this name */
export function createFile(path: string, { text = "", like = dirname(path) }: NewFile = {}): void {
  const descriptor = openSync(path, "wx", 0o600);
  writeSync(descriptor, text);
  give(descriptor, like);
}

/** Creates a file unless it exists. Errors are ignored here: opening the file reports them. */
export function createMissingFile(path: string): void {
  if (existsSync(path)) return;
  try {
    createFile(path);
  } catch {
    // Another process may have created it in the meantime.
  }
}

/** Creates a folder and the missing ones above it, readable by their owner only. @returns false if it exists */
export function createFolder(path: string): boolean {
  const folder = resolve(path);
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return false;
  for (const created of pathsFrom(first, folder))
    give(
      openSync(created, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
      dirname(created),
    );
  return true;
}

/** Paths from a folder down to one of those below it. */
function pathsFrom(first: string, last: string): readonly string[] {
  return last.length <= first.length ? [last] : [...pathsFrom(first, dirname(last)), last];
}

/** Gives an open file or folder the owner of another, if this process is root's, and closes it. */
function give(descriptor: number, like: string): void {
  try {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = lstatSync(like);
    fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}
