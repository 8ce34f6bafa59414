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

// If root runs a command, the files that it creates get the owner of their folder, because the service runs as that user. The owner
// is changed through the descriptor of the new file (fchown), so that nobody can use a link to make root change the owner of
// another file.

interface NewFile {
  /** Content of the file; empty if left out. */
  readonly text?: string;
  /** File or folder whose owner and group the new file gets if root creates it. If left out, the folder of the new file. */
  readonly like?: string;
}

/** Creates a file that only its owner can read. @throws Error with code EEXIST if the path already exists */
export function createFile(path: string, { text = "", like = dirname(path) }: NewFile = {}): void {
  const descriptor = openSync(path, "wx", 0o600);
  writeSync(descriptor, text);
  give(descriptor, like);
}

/** Creates a file unless it exists. Errors are ignored here, because the same errors are reported when the file is opened. */
export function createMissingFile(path: string): void {
  if (existsSync(path)) return;
  try {
    createFile(path);
  } catch {
    // Another process may have created the file in the meantime.
  }
}

/** Creates a folder and its missing parents, which only their owner can read. @returns false if the folder already exists */
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

/** Returns the paths from a folder down to a path below it, including both. */
function pathsFrom(first: string, last: string): readonly string[] {
  return last.length <= first.length ? [last] : [...pathsFrom(first, dirname(last)), last];
}

/** If this process runs as root, gives an open file or folder the owner that `like` has. Then closes the file or folder. */
function give(descriptor: number, like: string): void {
  try {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = lstatSync(like);
    fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}
