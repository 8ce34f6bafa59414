import { expect, test } from "bun:test";
import { WORKERS_STARTED_AT_ONCE } from "../src/limits.ts";
import { createWorkerPool } from "../src/server/worker-pool.ts";
import type { WorkerProcess } from "../src/server/worker-process.ts";
import { createLogger } from "../src/telemetry/logger.ts";
import { until } from "./until.ts";

const SIZE = 2 * WORKERS_STARTED_AT_ONCE;

/** Real processes that serve nothing: each is ready when the test says so. */
function createPool() {
  const starting: (() => void)[] = [];
  const pool = createWorkerPool({
    spawnWorker: (): WorkerProcess => {
      const ready = Promise.withResolvers<void>();
      starting.push(ready.resolve);
      return {
        process: Bun.spawn(["sleep", "60"], { stdio: ["ignore", "ignore", "ignore"] }),
        startedAt: performance.now(),
        ready: ready.promise,
        send: () => {},
        metrics: async () => undefined,
      };
    },
    log: createLogger("silent"),
    onUnexpectedEnd: () => {},
  });
  return { pool, starting };
}

test("workers that all die at once are restarted a few at a time, as at the start", async () => {
  const { pool, starting } = createPool();
  const started = pool.start(SIZE);
  async function finishStarts(): Promise<void> {
    for (let ready = 0; ready < SIZE; ready += WORKERS_STARTED_AT_ONCE) {
      await until(() => starting.length >= WORKERS_STARTED_AT_ONCE);
      expect(starting).toHaveLength(WORKERS_STARTED_AT_ONCE);
      for (const finish of starting.splice(0)) finish();
    }
  }
  await finishStarts();
  await started;

  const first = [...pool.workers()];
  for (const { process } of first) process.kill("SIGKILL");
  await finishStarts();
  await until(() => pool.workers().every((worker) => !first.includes(worker)));
  await pool.stop();
  expect(pool.workers().every(({ process }) => process.killed)).toBe(true);
});
