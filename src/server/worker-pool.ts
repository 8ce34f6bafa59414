import type { Subprocess } from "bun";
import {
  WORKER_END_DEADLINE_MS,
  WORKER_RESTART_MAX_MS,
  WORKER_RESTART_MIN_MS,
  WORKER_STEADY_MS,
} from "../limits.ts";
import type { Logger } from "../telemetry/logger.ts";

/** A serving process. */
export interface WorkerProcess {
  readonly process: Subprocess;
  readonly startedAt: number;
  readonly ready: Promise<void>;
  /** What it counts, as JSON; undefined when it does not answer in time. */
  metrics(): Promise<object | undefined>;
}

/** Workers in their slots, each slot always with one. */
export interface WorkerPool {
  /** Those that are in a slot, whatever state they are in. */
  workers(): readonly WorkerProcess[];
  /**
   * Starts so many, and resolves when all of them serve.
   *
   * @throws StartError when one of them does not come up
   */
  start(size: number): Promise<void>;
  /** Whoever serves goes on until the successor does; one that does not come up takes nobody's place. */
  rollingRestart(): Promise<void>;
  /** Ends them all, and starts no more. */
  stop(): Promise<void>;
}

interface WorkerPoolOptions {
  readonly spawnWorker: () => WorkerProcess;
  readonly log: Logger;
  /** Told of each worker that ended although nobody had told it to. */
  readonly onUnexpectedEnd: () => void;
}

export function createWorkerPool({ spawnWorker, log, onUnexpectedEnd }: WorkerPoolOptions): WorkerPool {
  const slots: WorkerProcess[] = [];
  const alive = new Set<WorkerProcess>();
  let isStopping = false;

  function spawn(): WorkerProcess {
    const worker = spawnWorker();
    alive.add(worker);
    worker.process.exited.then(() => alive.delete(worker));
    return worker;
  }

  /** Has a worker take a slot; whenever one there ends, another is started after a pause that grows. */
  function assign(slot: number, worker: WorkerProcess, pauseMs = WORKER_RESTART_MIN_MS): void {
    slots[slot] = worker;
    worker.process.exited.then(async (code) => {
      if (isStopping || slots[slot] !== worker) return;
      onUnexpectedEnd();
      log.error({ slot, code, pauseMs }, "a worker ended; another is started");
      const wasSteady = performance.now() - worker.startedAt > WORKER_STEADY_MS;
      await restartWithBackoff(slot, worker, wasSteady ? WORKER_RESTART_MIN_MS : pauseMs);
    });
  }

  async function restartWithBackoff(slot: number, dead: WorkerProcess, pauseMs: number): Promise<void> {
    await Bun.sleep(pauseMs);
    if (isStopping || slots[slot] !== dead) return;
    const next = Math.min(2 * pauseMs, WORKER_RESTART_MAX_MS);
    try {
      assign(slot, spawn(), next);
    } catch (error) {
      log.error({ slot, err: error }, "a worker could not be started");
      await restartWithBackoff(slot, dead, next);
    }
  }

  async function replace(slot: number): Promise<void> {
    if (isStopping) return;
    const successor = spawn();
    try {
      await successor.ready;
    } catch (error) {
      await end(successor);
      throw error;
    }
    const leaving = slots[slot];
    assign(slot, successor);
    if (leaving !== undefined) await end(leaving);
  }

  return {
    workers: () => slots,
    async start(size) {
      for (let slot = 0; slot < size; slot++) assign(slot, spawn());
      await Promise.all(slots.map((worker) => worker.ready));
    },
    async rollingRestart() {
      for (const slot of slots.keys()) await replace(slot);
    },
    async stop() {
      isStopping = true;
      await Promise.all([...alive].map(end));
    },
  };
}

/** Ends a worker as it wishes, or as it does not wish when it takes too long. */
async function end({ process: child }: WorkerProcess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), WORKER_END_DEADLINE_MS);
  await child.exited;
  clearTimeout(timer);
}
