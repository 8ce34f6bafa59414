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
  /** Told of everyone who had to wait, or was refused: for how long, and whether there was a place in the end. */
  readonly onWait?: (seconds: number, isAdmitted: boolean) => void;
}

/** Lets so many through at once, and keeps so many waiting for so long: beyond that it refuses, so that nobody hangs. */
export function createGate({ places, queueMax, waitMs, onWait = () => {} }: GateOptions): Gate {
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
      if (queue.size >= queueMax) {
        onWait(0, false);
        return Promise.reject(new GateError("too many are waiting"));
      }
      const startedAt = performance.now();
      const waited = () => (performance.now() - startedAt) / 1000;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(admit);
          onWait(waited(), false);
          reject(new GateError(`no place within ${waitMs} ms`));
        }, waitMs);
        function admit(): void {
          clearTimeout(timer);
          queue.delete(admit);
          onWait(waited(), true);
          resolve(leaveOnce());
        }
        queue.add(admit);
      });
    },
  };
}
