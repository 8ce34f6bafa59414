import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { SupervisorMessage, WorkerProcess } from "./worker-process.ts";

export const WORKERS_STARTED_AT_ONCE = 4; // maximum number of workers that start at the same time; if more did, they would slow each other down and miss WORKER_START_DEADLINE_MS
export const WORKER_RESTART_MIN_MS = 100; // pause before a worker is started again for the first time; each further pause is twice as long
export const WORKER_RESTART_MAX_MS = 5_000; // longest pause before a worker is started again
export const WORKER_STEADY_MS = 10_000; // time that a worker must run before the pause for its next restart is reset to WORKER_RESTART_MIN_MS
export const WORKER_END_DEADLINE_MS = 15_000; // time between SIGTERM and SIGKILL, which is longer than a worker's own deadline for running requests

/** A fixed number of worker processes. If a process ends, it is started again after a pause, which grows each time. */
export interface WorkerPool {
  /** The worker processes of the pool, one in each slot, including processes that are starting or have ended. */
  workers(): readonly WorkerProcess[];
  /** Sends a message to every worker, including workers that are starting or stopping. */
  broadcast(message: SupervisorMessage): void;
  /** Starts the workers, and resolves when all of them are serving. @throws StartError if a worker does not start */
  start(size: number): Promise<void>;
  /**
   * Replaces the workers one by one. Each worker is stopped when its successor is serving.
   *
   * @throws StartError if a successor does not start
   */
  rollingRestart(): Promise<void>;
  stop(): Promise<void>;
}

interface PoolOptions {
  readonly spawnWorker: () => WorkerProcess;
  readonly log: Logger;
  readonly clock: Clock;
  /** Called when a worker process ends without having been stopped. */
  readonly onUnexpectedEnd: () => void;
}

export function createWorkerPool({ spawnWorker, log, clock, onUnexpectedEnd }: PoolOptions): WorkerPool {
  const slots: WorkerProcess[] = [];
  const { alive, starting, spawn, end } = trackWorkers(spawnWorker, clock);
  const stopping = new AbortController();

  function assign(slot: number, worker: WorkerProcess, pauseMs = WORKER_RESTART_MIN_MS) {
    slots[slot] = worker;
    const startedAt = clock.monotonicMs();
    worker.process.exited.then(async (code) => {
      if (stopping.signal.aborted || slots[slot] !== worker) return;
      onUnexpectedEnd();
      log.error({ slot, code, pauseMs }, "a worker process ended; starting another");
      const wasSteady = clock.monotonicMs() - startedAt > WORKER_STEADY_MS;
      await restartWithBackoff(slot, worker, wasSteady ? WORKER_RESTART_MIN_MS : pauseMs);
    });
  }

  /**
   * Starts a worker in a slot, unless another worker is already in the slot. If `WORKERS_STARTED_AT_ONCE` workers are already
   * starting, waits first.
   */
  async function startIn(slot: number, dead?: WorkerProcess, pauseMs?: number) {
    while (starting.size >= WORKERS_STARTED_AT_ONCE) await Promise.race(starting);
    if (stopping.signal.aborted || slots[slot] !== dead) return;
    const worker = spawn();
    assign(slot, worker, pauseMs);
    await worker.ready;
  }

  async function restartWithBackoff(slot: number, dead: WorkerProcess, pauseMs: number) {
    await clock.wait(pauseMs, stopping.signal);
    const next = Math.min(2 * pauseMs, WORKER_RESTART_MAX_MS);
    try {
      await startIn(slot, dead, next);
    } catch (error) {
      log.error({ slot, err: error }, "a worker process could not be started");
      // Tries again, unless another worker has taken the place of the dead one. (A worker that is replaced deliberately leaves
      // its slot before it is stopped.)
      if (slots[slot] === dead) await restartWithBackoff(slot, dead, next);
    }
  }

  async function replace(slot: number) {
    if (stopping.signal.aborted) return;
    const successor = spawn();
    try {
      await successor.ready;
    } catch (error) {
      await end(successor);
      throw error;
    }
    const predecessor = slots[slot];
    assign(slot, successor);
    if (predecessor !== undefined) await end(predecessor);
  }

  return {
    workers: () => slots,
    broadcast(message) {
      for (const worker of alive) worker.send(message);
    },
    async start(size) {
      await Promise.all(Array.from({ length: size }, (_, slot) => startIn(slot)));
    },
    async rollingRestart() {
      for (const slot of slots.keys()) await replace(slot);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...alive].map(end));
    },
  };
}

/** Keeps track of the workers whose processes are running (`alive`), and of the starts that have not finished (`starting`). */
function trackWorkers(spawnWorker: () => WorkerProcess, clock: Clock) {
  const alive = new Set<WorkerProcess>();
  const starting = new Set<Promise<void>>();
  function spawn(): WorkerProcess {
    const worker = spawnWorker();
    alive.add(worker);
    worker.process.exited.then(() => alive.delete(worker));
    const started = worker.ready.catch(() => {}).finally(() => starting.delete(started));
    starting.add(started);
    return worker;
  }
  /** Ends a worker process with SIGTERM, and with SIGKILL if it is still running after the deadline. */
  async function end({ process: child }: WorkerProcess) {
    child.kill("SIGTERM");
    const ended = new AbortController();
    void clock
      .wait(WORKER_END_DEADLINE_MS, ended.signal)
      .then(() => ended.signal.aborted || child.kill("SIGKILL"));
    await child.exited;
    ended.abort();
  }
  return { alive, starting, spawn, end };
}
