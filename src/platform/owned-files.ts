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

// If root runs a command, the new files get the owner of their folder, because the service runs as that user. The owner is changed
// through the descriptor of the new file (fchown). This way, nobody can use a link to trick root into changing the owner of a
// different file.

interface NewFile {
  /** The content of the file. If absent, the file is empty. */
  readonly text?: string;
  /**
   * An existing file or folder, by default the folder that contains the new file. If this process runs as root, the new file gets
   * the same owner and group as this file or folder.
   */
  readonly like?: string;
}

/** Creates a file that only its owner can read. @throws Error with the code EEXIST if the path already exists */
export function createFile(path: string, { text = "", like = dirname(path) }: NewFile = {}): void {
  const descriptor = openSync(path, "wx", 0o600);
  writeSync(descriptor, text);
  give(descriptor, like);
}

/** Creates a file if it does not exist. Errors are ignored, because opening the file will report them. */
export function createMissingFile(path: string): void {
  if (existsSync(path)) return;
  try {
    createFile(path);
  } catch {
    // Another process may have created the file in the meantime.
  }
}

/**
 * Creates a folder, and the missing folders above it, so that only their owner can read them. @returns false if the folder already
 * exists
 */
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

/** Returns all paths from a folder down to a path below it, including both. */
function pathsFrom(first: string, last: string): readonly string[] {
  return last.length <= first.length ? [last] : [...pathsFrom(first, dirname(last)), last];
}

/** Closes an open file or folder. If this process runs as root, the file or folder first gets the owner and group of `like`. */
function give(descriptor: number, like: string): void {
  try {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = lstatSync(like);
    fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}
