/** Error of a caller that did not get a permit: the queue was full, or the deadline passed. */
export class AcquireTimeoutError extends Error {
  override readonly name = "AcquireTimeoutError";
}

interface Semaphore {
  /** Acquires a permit; resolves to the function that releases it, rejects with `AcquireTimeoutError`. */
  acquire(): Promise<() => void>;
}

export async function withPermit<Result>(semaphore: Semaphore, work: () => Promise<Result>): Promise<Result> {
  const release = await semaphore.acquire();
  try {
    return await work();
  } finally {
    release();
  }
}

interface SemaphoreOptions {
  readonly permits: number;
  /** Maximum number of waiting callers; further callers are rejected at once. */
  readonly queueMax: number;
  readonly waitMs: number;
  /** Called for each caller that waited or was rejected, with the seconds waited, and true if it got a permit. */
  readonly onWait?: (seconds: number, isAcquired: boolean) => void;
}

/** A semaphore with a bounded queue and a deadline. */
export function createSemaphore({
  permits,
  queueMax,
  waitMs,
  onWait = () => {},
}: SemaphoreOptions): Semaphore {
  let free = permits;
  const queue = new Set<() => void>();

  function releaseOnce(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = queue;
      if (next === undefined) free++;
      else next();
    };
  }

  return {
    acquire() {
      if (free > 0) {
        free--;
        return Promise.resolve(releaseOnce());
      }
      if (queue.size >= queueMax) {
        onWait(0, false);
        return Promise.reject(new AcquireTimeoutError("too many are waiting"));
      }
      const startedAt = performance.now();
      const waited = () => (performance.now() - startedAt) / 1000;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(grant);
          onWait(waited(), false);
          reject(new AcquireTimeoutError(`no permit within ${waitMs} ms`));
        }, waitMs);
        function grant() {
          clearTimeout(timer);
          queue.delete(grant);
          onWait(waited(), true);
          resolve(releaseOnce());
        }
        queue.add(grant);
      });
    },
  };
}
