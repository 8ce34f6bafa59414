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
// owner is changed through the new file's descriptor (fchown), so that nobody can use a link to make root change another file.

interface NewFile {
  /** Content of the file; empty if left out. */
  readonly text?: string;
  /** File or folder whose owner and group a file created by root gets; the new file's folder if left out. */
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

/** Creates a folder and its missing parents, readable by their owner only. @returns false if the folder exists */
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

/** Paths from a folder down to a path below it, both included. */
function pathsFrom(first: string, last: string): readonly string[] {
  return last.length <= first.length ? [last] : [...pathsFrom(first, dirname(last)), last];
}

/** If this process is root's, gives an open file or folder the owner of `like`. Then closes it. */
function give(descriptor: number, like: string): void {
  try {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = lstatSync(like);
    fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}
