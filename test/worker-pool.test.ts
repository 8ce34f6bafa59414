import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  createWorkerPool,
  WORKER_END_DEADLINE_MS,
  WORKER_RESTART_MAX_MS,
  WORKER_RESTART_MIN_MS,
  WORKER_STEADY_MS,
  WORKERS_STARTED_AT_ONCE,
  type WorkerPool,
} from "../src/server/worker-pool.ts";
import type { WorkerProcess } from "../src/server/worker-process.ts";
import { createLogger } from "../src/telemetry/logger.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { until } from "./until.ts";

const SIZE = 2 * WORKERS_STARTED_AT_ONCE;

/** A pool of real worker processes that serve no requests. The test decides when each of them is ready. */
let pool: WorkerPool;
let command: string[];
/** The worker processes that the test has not made ready yet. */
let starting: (Pick<WorkerProcess, "process"> & { readonly serve: () => void })[];
let unexpectedEnds: number;
let clock: TestClock;
beforeEach(() => {
  command = ["sleep", "60"];
  starting = [];
  unexpectedEnds = 0;
  clock = createTestClock();
  pool = createWorkerPool({
    spawnWorker: (): WorkerProcess => {
      const ready = Promise.withResolvers<void>();
      const process = Bun.spawn(command, { stdio: ["ignore", "pipe", "ignore"] });
      starting.push({ process, serve: ready.resolve });
      process.exited.then(() => ready.reject(new Error("ended")));
      return { process, ready: ready.promise, send: () => {}, metrics: async () => undefined };
    },
    log: createLogger("silent"),
    clock,
    onUnexpectedEnd: () => void unexpectedEnds++,
  });
});
afterEach(() => pool.stop());

/** Makes the starting worker processes ready, and asserts how many there were. */
function serve(count: number): void {
  expect(starting).toHaveLength(count);
  for (const worker of starting.splice(0)) worker.serve();
}

async function start(size: number): Promise<readonly WorkerProcess[]> {
  const started = pool.start(size);
  serve(size);
  await started;
  return [...pool.workers()];
}

async function kill(workers: readonly WorkerProcess[]): Promise<void> {
  const before = unexpectedEnds;
  for (const { process } of workers) process.kill("SIGKILL");
  await until(() => unexpectedEnds === before + workers.length);
}

test("workers that all die at once are restarted a few at a time, as at the start", async () => {
  async function serveAll(): Promise<void> {
    for (let ready = 0; ready < SIZE; ready += WORKERS_STARTED_AT_ONCE) {
      await until(() => starting.length >= WORKERS_STARTED_AT_ONCE);
      serve(WORKERS_STARTED_AT_ONCE);
    }
  }
  const started = pool.start(SIZE);
  await serveAll();
  await started;

  const first = [...pool.workers()];
  await kill(first);
  await clock.advance(WORKER_RESTART_MIN_MS);
  await serveAll();
  await until(() => pool.workers().every((worker) => !first.includes(worker)));
  await pool.stop();
  expect(pool.workers().every(({ process }) => process.killed)).toBe(true);
});

test("the pause before a restart doubles up to a maximum, and is reset after a steady run", async () => {
  await start(1);
  async function dies(pauseMs: number): Promise<void> {
    await kill(pool.workers());
    await clock.advance(pauseMs - 1);
    serve(0);
    await clock.advance(1);
    serve(1);
  }
  for (let pauseMs = WORKER_RESTART_MIN_MS; pauseMs < WORKER_RESTART_MAX_MS; pauseMs *= 2)
    await dies(pauseMs);
  await dies(WORKER_RESTART_MAX_MS);
  await clock.advance(WORKER_STEADY_MS);
  await dies(WORKER_RESTART_MAX_MS);
  await clock.advance(WORKER_STEADY_MS + 1);
  await dies(WORKER_RESTART_MIN_MS);
});

test("a rolling restart ends a worker only once its successor serves", async () => {
  const [first, second] = await start(2);
  const restarted = pool.rollingRestart();
  expect(first?.process.killed).toBe(false);
  serve(1);
  await until(() => starting.length > 0);
  expect(first?.process.signalCode).toBe("SIGTERM");
  starting[0]?.process.kill("SIGKILL");
  await expect(restarted).rejects.toThrow("ended");
  expect([pool.workers()[0] === first, pool.workers()[1] === second]).toEqual([false, true]);
  expect([second?.process.killed, unexpectedEnds]).toEqual([false, 0]);
});

test("a stopped pool starts no more workers", async () => {
  await kill((await start(2)).slice(1));
  await pool.stop();
  await clock.advance(WORKER_RESTART_MAX_MS);
  void pool.rollingRestart();
  expect([starting.length, unexpectedEnds]).toEqual([0, 1]);
});

test("a worker that ignores SIGTERM is killed after the deadline", async () => {
  command = ["sh", "-c", "trap '' TERM; echo; exec sleep 60"];
  const [{ process }] = (await start(1)) as readonly [WorkerProcess];
  await (process.stdout as ReadableStream).getReader().read();
  const stopped = pool.stop();
  await clock.advance(WORKER_END_DEADLINE_MS);
  await stopped;
  expect(process.signalCode).toBe("SIGKILL");
});
