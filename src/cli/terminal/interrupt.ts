import { SAME_SIGNAL_MS } from "../../limits.ts";

/** Thrown after Ctrl-C, when the running requests have ended. The message may say how to continue. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

export const EXIT_INTERRUPTED = 130;

/** Returns a signal that aborts at the first Ctrl-C, so that running work can finish. The second Ctrl-C exits at once. */
export function listenForInterrupt(): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const controller = new AbortController();
  let since: number | undefined;
  function interrupt() {
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
