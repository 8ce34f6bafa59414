// Checks that the callbacks of timers do not throw, because an error in such a callback ends the whole service.
import { isProduct, type SourceFile } from "./source.ts";

const TIMER = /\b(setImmediate|setInterval|setTimeout|queueMicrotask)\(/;

/** For each file that sets a timer, the reason why the timer's callback cannot throw. */
const WHY_NOTHING_IS_THROWN: Readonly<Record<string, string>> = {
  "src/cli/terminal/hangup.ts": "asks whether a descriptor is a terminal, and begins the stop",
  "src/http/open-connection.ts": "resolves a promise",
  "src/main.ts": "ends the process",
  "src/platform/clock.ts": "resolves a promise",
  "src/platform/deadline.ts": "onLate rejects a promise, counts in memory or cancels a statement",
  "src/server/forwarded-changes.ts": "sending returns at once where the supervisor is gone",
  "src/server/worker-process.ts": "rejects a promise, and kills a process",
  "src/storage/postgres/change-feed.ts": "the heartbeat's promise has a handler",
  "src/storage/postgres/reads.ts": "resolves a promise",
  "src/storage/sqlite/change-feed.ts":
    "check catches what reading the version throws, isAnother what stat throws",
  "src/cli/terminal/in-steps.ts": "resolves a promise",
  "src/storage/sqlite/full-disk.ts": "starts a promise that catches its errors; statfs is inside",
  "src/storage/sqlite/group-commit.ts": "resolves a promise",
  "src/storage/sqlite/reader.ts": "end catches what COMMIT and ROLLBACK throw",
  "src/telemetry/log-output.ts": "the error of a write is its callback's argument",
  "src/telemetry/logger.ts": "writes to a stream with an error handler",
  "src/telemetry/metrics/process-metrics.ts": "counts in memory",
};

export function findTimerFaults(files: readonly SourceFile[]): readonly string[] {
  const setting = files
    .filter((file) => isProduct(file) && /^src\/(?!.*\/web\/)/.test(file.path))
    .filter(({ text }) => TIMER.test(text.replaceAll(/^ *(\/\/|\*).*$/gm, "")))
    .map(({ path }) => path);
  const named = Object.keys(WHY_NOTHING_IS_THROWN);
  return [
    ...setting
      .filter((path) => !named.includes(path))
      .map((path) => `${path} sets a timer: say in scripts/check/timers.ts why its callback cannot throw.`),
    ...named
      .filter((path) => !setting.includes(path))
      .map((path) => `${path} sets no timer: delete it from scripts/check/timers.ts.`),
  ];
}
