import { startDeadline } from "./deadline.ts";

/** Thrown when a caller of a semaphore gets no permit, because the queue is full or the deadline has passed. */
export class AcquireTimeoutError extends Error {
  override readonly name = "AcquireTimeoutError";
}

export interface Semaphore {
  /**
   * Resolves to a function that releases the permit. Rejects with `AcquireTimeoutError`. A single `owner` never gets all permits.
   */
  acquire(owner?: string): Promise<() => void>;
}

export async function withPermit<Result>(permits: Semaphore, work: () => Promise<Result>, owner?: string) {
  const release = await permits.acquire(owner);
  try {
    return await work();
  } finally {
    release();
  }
}

interface SemaphoreOptions {
  readonly permits: number;
  /** The maximum number of waiting callers. Further callers are rejected immediately. */
  readonly queueMax: number;
  readonly waitMs: number;
  /**
   * Called for each caller who had to wait or was rejected: `seconds` is the time that the caller has waited, and `isAcquired` is
   * true if the caller got a permit.
   */
  readonly onWait?: (seconds: number, isAcquired: boolean) => void;
}

export function createSemaphore({
  permits,
  queueMax,
  waitMs,
  onWait = () => {},
}: SemaphoreOptions): Semaphore {
  const owners: (string | undefined)[] = [];
  const queue = new Map<() => void, string | undefined>();
  const mayHold = (owner: string | undefined) =>
    owners.length < permits &&
    (owner === undefined || owners.filter((one) => one === owner).length < permits - 1);

  function grantTo(owner: string | undefined): () => void {
    let isHeld = true;
    owners.push(owner);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      owners.splice(owners.indexOf(owner), 1);
      const [next] = queue.entries().find(([, waiting]) => mayHold(waiting)) ?? [];
      next?.();
    };
  }

  return {
    acquire(owner) {
      if (mayHold(owner)) return Promise.resolve(grantTo(owner));
      if (queue.size >= queueMax) {
        onWait(0, false);
        return Promise.reject(new AcquireTimeoutError("too many callers are waiting"));
      }
      const startedAt = performance.now();
      const waited = () => (performance.now() - startedAt) / 1000;
      return new Promise((resolve, reject) => {
        const endDeadline = startDeadline(waitMs, () => {
          queue.delete(grant);
          onWait(waited(), false);
          reject(new AcquireTimeoutError(`gave up after waiting for ${waitMs} ms`));
        });
        function grant() {
          endDeadline();
          queue.delete(grant);
          onWait(waited(), true);
          resolve(grantTo(owner));
        }
        queue.set(grant, owner);
      });
    },
  };
}
