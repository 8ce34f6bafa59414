import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/**
 * Lower bound of the number of open files: the system gives a new file the lowest free number, so all lower numbers are in use.
 */
export function leastOpenFiles(): number {
  try {
    const descriptor = openSync(devNull, "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    // EMFILE or ENFILE: no number is free.
    return Number.POSITIVE_INFINITY;
  }
}

/** The maximum number of open files of this process, if the system has one. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
