import { unavailable } from "../errors.ts";
import { systemClock } from "../platform/clock.ts";
import { DATABASE_NAMES, type DatabaseName } from "../storage/store-files.ts";
import { registerScrubMetrics } from "../telemetry/metrics/scrub-metrics.ts";
import type { DatabaseDeps } from "./open-database.ts";
import { startSchedule } from "./schedule.ts";
import { type Problems, scrubInProcess } from "./scrub-process.ts";

const SCRUB_FIRST_MS = 10_000; // from the start to the first check of all contents, which leaves the first requests the machine
const SCRUB_INTERVAL_MS = 24 * 3_600_000; // from the end of one check to the next

/** @throws ServiceError `unavailable` while the last check of all contents found damage in this database */
export type CheckScrubbed = (name: DatabaseName) => Promise<void>;

/** Checks everything that the embedded databases have, `SCRUB_FIRST_MS` after the start and every `SCRUB_INTERVAL_MS` from then on. */
export function startScrub({ config, log, metrics, resources }: Omit<DatabaseDeps, "clock">): CheckScrubbed {
  // A database server checks its own pages.
  if (config.databaseUrl !== undefined) return async () => {};
  // Disks age by real time.
  const clock = systemClock;
  let problems: Problems | undefined;
  let endedAt = clock.monotonicMs();
  const schedule = startSchedule({
    everyMs: SCRUB_INTERVAL_MS,
    lastTime: async () => clock.now() - SCRUB_INTERVAL_MS + SCRUB_FIRST_MS,
    clock,
    make: (signal) => scrubInProcess(config.dataDir, signal),
    onMade(found) {
      problems = found;
      endedAt = clock.monotonicMs();
      for (const database of DATABASE_NAMES)
        for (const problem of found[database])
          log.error({ database, problem }, "damage was found; run petstore doctor --deep");
      log.info({ problems: Object.values(found).flat().length }, "all contents were checked");
    },
    onFailed: (err) => log.error({ err }, "the contents could not be checked; tried again on schedule"),
  });
  resources.defer(schedule.close);
  registerScrubMetrics(metrics.registry, {
    problems: () => DATABASE_NAMES.map((name) => [name, problems?.[name].length ?? 0]),
    ageSeconds: () => (clock.monotonicMs() - endedAt) / 1000,
  });
  return async (name) => {
    if (problems === undefined || problems[name].length === 0) return;
    throw unavailable("The last check of all contents found damage. Run: petstore doctor --deep");
  };
}
