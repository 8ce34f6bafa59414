import { SAME_SIGNAL_MS } from "../../limits.ts";

/** The user has had enough: what was under way has come to its end, and the message says how to go on. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

const EXIT_INTERRUPTED = 130;

/** A signal that aborts at Ctrl-C, so that what is under way can come to its end; another Ctrl-C ends the program. */
export function listenForInterrupt(): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const controller = new AbortController();
  let since: number | undefined;
  function interrupt(): void {
    if (since !== undefined && performance.now() - since > SAME_SIGNAL_MS) process.exit(EXIT_INTERRUPTED);
    since ??= performance.now();
    controller.abort(new InterruptedError("Interrupted."));
  }
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.removeListener(signal, interrupt);
    },
  };
}
