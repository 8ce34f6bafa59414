import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * Returns a lower bound for the number of files that this process has open. A newly opened file gets the lowest free descriptor, so
 * all descriptors below it are in use.
 */
export function leastOpenFiles(): number {
  try {
    const descriptor = openSync(devNull, "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    // The error EMFILE or ENFILE means that no more files can be opened.
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns the maximum number of files that this process can have open, or infinity if the system has no limit. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
