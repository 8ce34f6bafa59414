import { CONNECTION_CHECK_MS, CONNECTIONS_MAX, CONNECTIONS_SHARE } from "../limits.ts";
import { leastOpenFiles, openFilesMax } from "../platform/descriptors.ts";
import type { Listener } from "./listener.ts";

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
