/** Why a place could not be had. */
export class GateError extends Error {
  override readonly name = "GateError";
}

export interface Gate {
  /** Resolves with a way to give the place back; rejects with `GateError` when the queue is full or the wait too long. */
  enter(): Promise<() => void>;
}

interface GateOptions {
  readonly places: number;
  /** How many may wait for a place. */
  readonly queueMax: number;
  readonly waitMs: number;
}

/** Lets so many through at once, and keeps so many waiting for so long: beyond that it refuses, so that nobody hangs. */
export function createGate({ places, queueMax, waitMs }: GateOptions): Gate {
  let free = places;
  const queue = new Set<() => void>();

  function leaveOnce(): () => void {
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
    enter() {
      if (free > 0) {
        free--;
        return Promise.resolve(leaveOnce());
      }
      if (queue.size >= queueMax) return Promise.reject(new GateError("too many are waiting"));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(admit);
          reject(new GateError(`no place within ${waitMs} ms`));
        }, waitMs);
        function admit(): void {
          clearTimeout(timer);
          queue.delete(admit);
          resolve(leaveOnce());
        }
        queue.add(admit);
      });
    },
  };
}
