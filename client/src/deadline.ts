/** Timers count no further than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a call goes on: until its time is up, or until its caller has had enough. */
export interface Deadline {
  /** Aborts when either is so. */
  readonly signal: AbortSignal;
  /** The time is up, and the caller has not ended the call before. */
  readonly isTimeUp: boolean;
  remainingMs(): number;
  /** @throws what the signal was aborted with */
  wait(ms: number): Promise<void>;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

/** By hand, because `AbortSignal.any` and `AbortSignal.timeout` hold on to a caller's long-lived signal. */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const endsAt = performance.now() + timeoutMs;
  let isTimeUp = false;
  const leave = () => controller.abort(callerSignal?.reason);
  const giveUp = () => {
    isTimeUp = !signal.aborted;
    controller.abort();
  };
  const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(giveUp, timeoutMs);
  if (callerSignal?.aborted) leave();
  else callerSignal?.addEventListener("abort", leave, { once: true });
  return {
    signal,
    get isTimeUp() {
      return isTimeUp;
    },
    remainingMs: () => endsAt - performance.now(),
    wait: (ms) => wait(ms, signal),
    end() {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", leave);
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
