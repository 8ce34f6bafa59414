import { statfsSync } from "node:fs";

/** The bytes that this user may still write on a folder's disk. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
