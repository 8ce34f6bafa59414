import { isatty } from "node:tty";
import { SAME_SIGNAL_MS } from "../../limits.ts";

const TERMINAL_CHECK_MS = 1_000; // interval at which the program checks whether its terminal is still open
const SAME_EVENT_MS = 5_000; // if SIGHUP arrives and the terminal closes within this time, in either order, they count as one event

interface HangupHandlers {
  /** Called once, after the terminal that this program was started from has closed. */
  readonly onTerminalClosed: () => void;
  /** Called when somebody sends SIGHUP, such as `systemctl reload`. */
  readonly onReload: () => void;
}

/**
 * Handles SIGHUP, which means "reload" if an operator sends it, and "the terminal has closed" if a shell or the kernel sends it.
 * When a terminal closes, the standard streams stop being terminals, just before or just after the signal arrives. This shows which
 * of the two has happened. After `disown`, a program gets no SIGHUP from its terminal, so a later SIGHUP means "reload". A program
 * that was started with `nohup` has no terminal among its standard streams.
 *
 * @returns a function that stops the checks of the terminal, because they keep the process running
 */
export function handleHangups({ onTerminalClosed, onReload }: HangupHandlers): () => void {
  const streams = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  const checking = streams.length === 0 ? undefined : setInterval(endWithTerminal, TERMINAL_CHECK_MS);
  let closedAt = Number.POSITIVE_INFINITY;
  let signalledAt = Number.NEGATIVE_INFINITY;
  let hasEnded = false;

  /** @returns true if the last SIGHUP was sent because the terminal closed */
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
    // A signal may arrive twice: a shell sends it to the whole process group, and the launcher, which is part of the group,
    // forwards it.
    const isCopy = now - signalledAt < SAME_SIGNAL_MS;
    signalledAt = now;
    if (!endWithTerminal() && !isCopy) onReload();
  });
  return () => clearInterval(checking);
}
