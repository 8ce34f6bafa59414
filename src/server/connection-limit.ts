import { leastOpenFiles, openFilesMax } from "../platform/descriptors.ts";
import type { Listener } from "./listener.ts";

const CONNECTIONS_MAX = 8_192; // of one process; then those without a request under way are closed
const CONNECTIONS_SHARE = 0.8; // of the files that a process may open: the same, where that is less
const CONNECTION_CHECK_MS = 1_000; // between looks at their number

/**
 * Closes idle connections once too many are open. At the system's limit of open files the runtime accepts none, and tries
 * again without a pause.
 *
 * @param onClosed called with the number of connections that were closed
 */
export function limitConnections(
  listeners: readonly Pick<Listener, "closeIdle">[],
  onClosed: (count: number) => void,
): { stop(): void } {
  const max = Math.min(CONNECTIONS_MAX, openFilesMax() * CONNECTIONS_SHARE);
  const timer = setInterval(() => {
    if (leastOpenFiles() < max) return;
    for (const { closeIdle } of listeners) onClosed(closeIdle());
  }, CONNECTION_CHECK_MS);
  return { stop: () => clearInterval(timer) };
}
