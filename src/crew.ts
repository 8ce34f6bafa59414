import type { Subprocess } from "bun";
import {
  WORKER_END_DEADLINE_MS,
  WORKER_RESTART_MAX_MS,
  WORKER_RESTART_MIN_MS,
  WORKER_STEADY_MS,
} from "./limits.ts";
import type { Logger } from "./log.ts";

/** A serving process. */
export interface Worker {
  readonly process: Subprocess;
  readonly startedAt: number;
  readonly ready: Promise<void>;
  /** What it counts, as JSON; undefined when it does not answer in time. */
  metrics(): Promise<object | undefined>;
}

/** Workers in their slots, each slot always with one. */
export interface Crew {
  /** Those that are in a slot, whatever state they are in. */
  workers(): readonly Worker[];
  /**
   * Starts so many, and resolves when all of them serve.
   *
   * @throws StartError when one of them does not come up
   */
  fill(size: number): Promise<void>;
  /** Whoever serves goes on until the successor does; one that does not come up takes nobody's place. */
  replaceAll(): Promise<void>;
  /** Ends them all, and starts no more. */
  stop(): Promise<void>;
}

interface CrewOptions {
  readonly start: () => Worker;
  readonly log: Logger;
  /** Told of each worker that ended although nobody had told it to. */
  readonly onUnexpectedEnd: () => void;
}

export function createCrew({ start, log, onUnexpectedEnd }: CrewOptions): Crew {
  const slots: Worker[] = [];
  const alive = new Set<Worker>();
  let isStopping = false;

  function engage(): Worker {
    const worker = start();
    alive.add(worker);
    worker.process.exited.then(() => alive.delete(worker));
    return worker;
  }

  /** Has a worker take a slot; whenever one there ends, another is started after a pause that grows. */
  function seat(slot: number, worker: Worker, pauseMs = WORKER_RESTART_MIN_MS): void {
    slots[slot] = worker;
    worker.process.exited.then(async (code) => {
      if (isStopping || slots[slot] !== worker) return;
      onUnexpectedEnd();
      log.error({ slot, code, pauseMs }, "a worker ended; another is started");
      const wasSteady = performance.now() - worker.startedAt > WORKER_STEADY_MS;
      await refill(slot, worker, wasSteady ? WORKER_RESTART_MIN_MS : pauseMs);
    });
  }

  async function refill(slot: number, dead: Worker, pauseMs: number): Promise<void> {
    await Bun.sleep(pauseMs);
    if (isStopping || slots[slot] !== dead) return;
    const next = Math.min(2 * pauseMs, WORKER_RESTART_MAX_MS);
    try {
      seat(slot, engage(), next);
    } catch (error) {
      log.error({ slot, err: error }, "a worker could not be started");
      await refill(slot, dead, next);
    }
  }

  async function replace(slot: number): Promise<void> {
    if (isStopping) return;
    const successor = engage();
    try {
      await successor.ready;
    } catch (error) {
      await end(successor);
      throw error;
    }
    const leaving = slots[slot];
    seat(slot, successor);
    if (leaving !== undefined) await end(leaving);
  }

  return {
    workers: () => slots,
    async fill(size) {
      for (let slot = 0; slot < size; slot++) seat(slot, engage());
      await Promise.all(slots.map((worker) => worker.ready));
    },
    async replaceAll() {
      for (const slot of slots.keys()) await replace(slot);
    },
    async stop() {
      isStopping = true;
      await Promise.all([...alive].map(end));
    },
  };
}

/** Ends a worker as it wishes, or as it does not wish when it takes too long. */
async function end({ process: child }: Worker): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), WORKER_END_DEADLINE_MS);
  await child.exited;
  clearTimeout(timer);
}
