/** Why a place could not be had. */
export class AcquireTimeoutError extends Error {
  override readonly name = "GateError";
}

export interface Semaphore {
  /** Resolves with a way to give the place back; rejects with `GateError` when the queue is full or the wait too long. */
  acquire(): Promise<() => void>;
}

interface SemaphoreOptions {
  readonly permits: number;
  /** How many may wait for a place. */
  readonly queueMax: number;
  readonly waitMs: number;
  /** Told of everyone who had to wait, or was refused: for how long, and whether there was a place in the end. */
  readonly onWait?: (seconds: number, isAdmitted: boolean) => void;
}

/** Lets so many through at once, and keeps so many waiting for so long: beyond that it refuses, so that nobody hangs. */
export function createSemaphore({
  permits,
  queueMax,
  waitMs,
  onWait = () => {},
}: SemaphoreOptions): Semaphore {
  let free = permits;
  const queue = new Set<() => void>();

  function releaseOnce(): () => void {
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
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
          queue.delete(admit);
          onWait(waited(), false);
          reject(new AcquireTimeoutError(`no place within ${waitMs} ms`));
        }, waitMs);
        function admit(): void {
          clearTimeout(timer);
          queue.delete(admit);
          onWait(waited(), true);
          resolve(releaseOnce());
        }
        queue.add(admit);
      });
    },
  };
}
