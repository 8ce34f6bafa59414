import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { createFolder } from "../../platform/owned-files.ts";

/** Flushes a file's bytes, or a folder's list of names, to disk (fsync). */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns a name for a folder that a store's unusable or replaced files are moved to. The name contains the reason and the current
 * time.
 */
export function asideName(reason: "refused" | "replaced"): string {
  return `${reason}-${formatTime(systemClock.now()).replaceAll(":", "-")}`;
}

/** Moves files into a new folder, and flushes the change to disk. */
export function moveAside(paths: readonly string[], aside: string): void {
  if (paths.length === 0) return;
  createFolder(aside);
  for (const path of paths) renameSync(path, join(aside, basename(path)));
  flushToDisk(aside);
  flushToDisk(dirname(aside));
}
