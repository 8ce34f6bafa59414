import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/** A number of open files that is not above the true one: the system gives the lowest that is free to the next file. */
export function leastOpenFiles(): number {
  try {
    const descriptor = openSync(devNull, "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    // None is free: EMFILE or ENFILE.
    return Number.POSITIVE_INFINITY;
  }
}

/** How many files this process may have open, where the system has a limit. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
