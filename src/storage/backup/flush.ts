import { closeSync, fsyncSync, openSync } from "node:fs";

/** Has a file's bytes, or a folder's names, on disk when it returns. */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
