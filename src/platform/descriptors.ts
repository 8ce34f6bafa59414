import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * Returns a lower bound of the number of open files. The operating system gives a new file the lowest free number, so all lower
 * numbers are in use.
 */
export function leastOpenFiles(): number {
  try {
    const descriptor = openSync(devNull, "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    // The error is EMFILE or ENFILE, which means that no further file can be opened.
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns the maximum number of files that this process may have open; infinity if the system has no limit. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
