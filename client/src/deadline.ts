/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export type Deadline = ReturnType<typeof startDeadline>;

/**
 * The end of a call, by its timeout or its caller's signal. Not `AbortSignal.any` and `AbortSignal.timeout`, which leave
 * listeners on a long-lived signal.
 */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined) {
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
    /** Aborts at the timeout, and with the caller's signal. */
    signal,
    /** True if the timeout came first. */
    get isExpired() {
      return isExpired;
    },
    remainingMs: () => endsAt - performance.now(),
    /** @throws the reason of the signal */
    wait: (ms: number) => wait(ms, signal),
    release(): void {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", abort);
    },
  };
}

/** @throws the reason of the signal */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
