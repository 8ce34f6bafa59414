import { isatty } from "node:tty";
import { SAME_SIGNAL_MS } from "../../limits.ts";

const TERMINAL_CHECK_MS = 1_000; // interval of checks whether the terminal is still open
const SAME_EVENT_MS = 5_000; // SIGHUP and the end of the terminal within this time are one event, whichever comes first

interface HangupHandlers {
  /** Called once, when the terminal that this program was started on has closed. */
  readonly onTerminalClosed: () => void;
  /** Called when somebody has sent SIGHUP, as `systemctl reload` does. */
  readonly onReload: () => void;
}

/**
 * Handles SIGHUP, which means "reload" when an operator sends it, and "your terminal is closing" when a shell or the kernel
 * does.
 *
 * Standard streams stop being terminals when their terminal closes: just before the kernel sends SIGHUP, or just after a shell
 * has. A program that outlives its terminal (`disown`) gets no SIGHUP then, so a later one means "reload". With `nohup`, no
 * standard stream is a terminal from the start.
 *
 * @returns a function that stops the checks of the terminal, because they keep the process running
 */
export function handleHangups({ onTerminalClosed, onReload }: HangupHandlers): () => void {
  const streams = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  const checking = streams.length === 0 ? undefined : setInterval(endWithTerminal, TERMINAL_CHECK_MS);
  let closedAt = Number.POSITIVE_INFINITY;
  let signalledAt = Number.NEGATIVE_INFINITY;
  let hasEnded = false;

  /** @returns true if the terminal's end is the reason for the last SIGHUP */
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
    // The launcher forwards the signal, and a shell sends it to the launcher's whole process group, so it may come twice.
    const isCopy = now - signalledAt < SAME_SIGNAL_MS;
    signalledAt = now;
    if (!endWithTerminal() && !isCopy) onReload();
  });
  return () => clearInterval(checking);
}
