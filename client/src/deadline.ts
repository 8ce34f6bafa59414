/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The end of a call: its timeout, or its caller's signal. */
export interface Deadline {
  readonly timeoutMs: number;
  /** Aborts at the timeout, and with the caller's signal. */
  readonly signal: AbortSignal;
  /** The timeout came first. */
  readonly isExpired: boolean;
  remainingMs(): number;
  /** @throws the reason of the signal */
  wait(ms: number): Promise<void>;
  /** Clears the timer, and removes the listener from the caller's signal. */
  release(): void;
}

/** Without `AbortSignal.any` and `AbortSignal.timeout`, which leave listeners on a caller's long-lived signal. */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const endsAt = performance.now() + timeoutMs;
  let isExpired = false;
  const abort = () => controller.abort(callerSignal?.reason);
  const expire = () => {
    isExpired = !signal.aborted;
    controller.abort();
  };
  const timer = timeoutMs > TIMER_MAX_MS ? undefined : setTimeout(expire, timeoutMs);
  if (callerSignal?.aborted) abort();
  else callerSignal?.addEventListener("abort", abort, { once: true });
  return {
    timeoutMs,
    signal,
    get isExpired() {
      return isExpired;
    },
    remainingMs: () => endsAt - performance.now(),
    wait: (ms) => wait(ms, signal),
    release() {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", abort);
    },
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
