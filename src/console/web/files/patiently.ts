import { RequestError } from "../request-error.ts";

/** Seconds before each further attempt, where the server names no time: a restart is bridged. */
const DELAYS_S = [1, 2, 4, 8];

/** Repeats a request that the server refuses for now. A rate limit is waited for, however long. */
export async function patiently<Result>(
  signal: AbortSignal,
  request: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError)) throw error;
      const isBusy = error.status === 429 || error.code === "idempotency_in_progress";
      const delay = DELAYS_S[isBusy ? 0 : attempt];
      if (delay === undefined || !(isBusy || error.isTransient)) throw error;
      await wait((error.retryAfterSeconds ?? delay) * 1000, signal);
    }
  }
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
    signal.addEventListener("abort", stop, { once: true });
  });
}
