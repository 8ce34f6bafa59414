/** The longest delay that `setTimeout` supports. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export type Deadline = ReturnType<typeof startDeadline>;

/**
 * Starts the deadline of a call, which is reached when the timeout expires or the caller's signal aborts. `AbortSignal.any` and
 * `AbortSignal.timeout` are not used, because they leave listeners behind on a signal that lives longer than the call.
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
    /** Signal that aborts when the call times out, or when the caller's signal aborts. */
    signal,
    /** True if the call timed out before the caller aborted it. */
    get isExpired() {
      return isExpired;
    },
    remainingMs: () => endsAt - performance.now(),
    wait: (ms: number) => wait(ms, signal),
    release(): void {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", abort);
    },
  };
}

/** Waits for `ms` milliseconds. @throws the reason of the signal if it aborts first */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, TIMER_MAX_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
