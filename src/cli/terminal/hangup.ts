import { isatty } from "node:tty";
import { SAME_SIGNAL_MS } from "../../limits.ts";

const TERMINAL_CHECK_MS = 1_000; // how often to check whether the terminal is still open
const SAME_EVENT_MS = 5_000; // within this time, SIGHUP and a closed terminal count as one event, in either order

interface HangupHandlers {
  /** Called once, when the terminal in which this program was started has closed. */
  readonly onTerminalClosed: () => void;
  /** Called when somebody has sent SIGHUP, as `systemctl reload` does. */
  readonly onReload: () => void;
}

/**
 * Handles SIGHUP, which means "reload" when an operator sends it, and "your terminal is closing" when a shell or the kernel sends
 * it. When a terminal closes, the standard streams stop being terminals, either just before the kernel sends SIGHUP, or just after
 * a shell has sent it. A program that was detached from its terminal (`disown`) gets no SIGHUP when the terminal closes, so a later
 * SIGHUP means "reload". A program that was started with `nohup` has no standard stream that is a terminal.
 *
 * @returns a function that stops the checks of the terminal, because they keep the process running
 */
export function handleHangups({ onTerminalClosed, onReload }: HangupHandlers): () => void {
  const streams = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  const checking = streams.length === 0 ? undefined : setInterval(endWithTerminal, TERMINAL_CHECK_MS);
  let closedAt = Number.POSITIVE_INFINITY;
  let signalledAt = Number.NEGATIVE_INFINITY;
  let hasEnded = false;

  /** @returns true if the last SIGHUP was sent because the terminal has closed */
  function endWithTerminal(): boolean {
    if (checking === undefined) return false;
    if (closedAt === Number.POSITIVE_INFINITY && !streams.some((descriptor) => isatty(descriptor))) {
      clearInterval(checking);
      closedAt = performance.now();
    }
    const isReason = Math.abs(closedAt - signalledAt) < SAME_EVENT_MS;
    if (isReason && !hasEnded) {
      hasEnded = true;
      onTerminalClosed();
    }
    return isReason;
  }

  process.on("SIGHUP", () => {
    const now = performance.now();
    // A signal may arrive twice: a shell sends it to the launcher's whole process group, and the launcher forwards it.
    const isCopy = now - signalledAt < SAME_SIGNAL_MS;
    signalledAt = now;
    if (!endWithTerminal() && !isCopy) onReload();
  });
  return () => clearInterval(checking);
}
