import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../limits.ts";
import { isBucketUrl } from "../platform/bucket-url.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import {
  type BackupInFolder,
  backupsInFolder,
  sendingFolder,
  workFolderOf,
} from "../storage/backup/backup-folder.ts";
import { newestAmong } from "../storage/backup/backup-names.ts";
import { DATABASE_NAMES, type DatabaseName } from "../storage/store-files.ts";
import type { Logger } from "../telemetry/logger.ts";
import { registerBackupMetrics, registerDamageMetric } from "../telemetry/metrics/data-metrics.ts";
import type { DatabaseDeps } from "./open-database.ts";
import { runOwnCommand } from "./own-command.ts";

/** One line of the output of `petstore doctor --json`. */
interface CheckResult {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

/** The number of problems that the last full check found in each database. Empty before the first check. */
export type Damage = Map<DatabaseName, number>;

const FIRST_CHECK_MS = 10_000; // delay of the first daily check after the start, so that it does not slow down the first requests

// Backups always use the real clock. Their names contain the time, and staging's test clock must not change it.
const clock = systemClock;

/**
 * Schedules backups of the embedded databases. Each backup includes a full check. Without a backup folder, only a daily check is
 * scheduled.
 */
export function startBackups(deps: DatabaseDeps, damage: Damage): void {
  const { config, maintenance, resources } = deps;
  // A database server makes its own backups and checks its own pages, so nothing is scheduled.
  if (config.databaseUrl !== undefined) return;
  const backups = scheduleBackups(deps, damage);
  maintenance.add({ name: "backups", everyMs: 0, run: () => void backups.tick() });
  resources.defer(backups.close);
}

function scheduleBackups(deps: DatabaseDeps, damage: Damage): Schedule {
  const { config, metrics, log, closed } = deps;
  const { dataDir, backupDir: folder, backupEvery: everyMs, backupKeep: keep } = config;
  registerDamageMetric(metrics.registry, () =>
    DATABASE_NAMES.map((name) => [name, (damage.get(name) ?? 0) + Number(closed.has(name))]),
  );
  const onNotChecked = (err: unknown) =>
    log.error(
      { err },
      "the contents of the databases could not be checked; the next attempt is at the next scheduled time",
    );
  if (folder === undefined)
    return createSchedule({
      everyMs: DAY_MS,
      lastTime: async (now) => now - DAY_MS + FIRST_CHECK_MS,
      clock,
      make: (signal) => checkContents(dataDir, "--slowly", signal),
      onMade: (checks) =>
        log.info({ problems: tellDamage(checks, damage, log) }, "the contents of all databases were checked"),
      onFailed: async (error) => onNotChecked(error),
    });
  const schedule = createSchedule({
    everyMs,
    // An error from reading the folder or the bucket is ignored, because the backup itself will report it.
    lastTime: (now, signal) =>
      (isBucketUrl(folder)
        ? askForNewest(dataDir, folder, now, signal)
        : backupsInFolder(folder, now).then((backups) => newestAmong(backups).time)
      ).catch(() => undefined),
    clock,
    make: (signal) => backUp({ dataDir, folder, keep }, signal),
    onMade({ file, databases, removed, checks }) {
      count("made");
      const bytes = databases.reduce((sum, database) => sum + database.bytes, 0);
      const problems = tellDamage(checks, damage, log);
      log.info({ file, bytes, removed: removed.length, problems }, "a backup was made");
    },
    async onFailed(err, signal) {
      count("failed");
      log.error({ err }, "a backup failed; the next attempt is at the next scheduled time");
      // The backup may have failed because a database is damaged, so the contents of all databases are checked.
      await checkContents(dataDir, "--deep", signal)
        .then((checks) => void tellDamage(checks, damage, log))
        .catch((error: unknown) => void (signal.aborted || onNotChecked(error)));
    },
  });
  const count = registerBackupMetrics(metrics.registry, everyMs / 1000, schedule.ageSeconds);
  return schedule;
}

interface BackupTask {
  readonly dataDir: string;
  readonly folder: string;
  readonly keep: number;
}

type CheckedBackup = BackupInFolder & { readonly checks: readonly CheckResult[] };

/** Makes a backup in a child process. @throws Error for the operator; an unfinished backup is removed */
function backUp({ dataDir, folder, keep }: BackupTask, signal: AbortSignal): Promise<CheckedBackup> {
  const flags = ["--json", "--keep", String(keep), "--data-dir", dataDir];
  return runOwnCommand(["backup", ...flags, "--", folder], signal, (pid) => {
    const place = isBucketUrl(folder) ? sendingFolder(dataDir) : folder;
    return rm(join(place, workFolderOf(pid)), { recursive: true, force: true });
  });
}

/**
 * Returns the time of the newest backup in a bucket. A child process reads the bucket, because listing backups also opens and
 * closes database files. If this process did that, it would lose its own locks on these files (see `runOwnCommand`).
 */
async function askForNewest(dataDir: string, place: string, now: number, signal: AbortSignal) {
  const flags = ["--list", "--json", "--data-dir", dataDir];
  const listed: readonly { startedAt: string }[] = await runOwnCommand(
    ["backup", ...flags, "--", place],
    signal,
  );
  const times = listed.map(({ startedAt }) => Date.parse(startedAt)).filter((time) => time <= now);
  return times.at(-1);
}

/** Checks the contents of all databases in a child process. @throws Error for the operator, if the check could not be completed */
function checkContents(
  dataDir: string,
  flag: "--deep" | "--slowly",
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  return runOwnCommand(["doctor", flag, "--json", "--data-dir", dataDir], signal);
}

/**
 * Logs the damage that a check has found, and stores the number of problems for the metrics and the console.
 *
 * @returns the number of problems in all databases
 */
function tellDamage(checks: readonly CheckResult[], damage: Damage, log: Logger): number {
  for (const database of DATABASE_NAMES) {
    const own = checks.filter(({ check }) => check === `contents ${database}`);
    if (own.length === 0) throw new Error(`The check of the database ${database} returned no result.`);
    const problems = own.filter(({ state }) => state !== "ok");
    damage.set(database, problems.length);
    for (const { message: problem } of problems)
      log.error({ database, problem }, "damage was found; run petstore doctor --deep");
  }
  return [...damage.values()].reduce((sum, count) => sum + count, 0);
}

interface ScheduleOptions<Made> {
  readonly everyMs: number;
  /**
   * Returns the start time of the last run before this schedule was created, in milliseconds since 1970 and never later than
   * `now`. Returns undefined if there was none. Never rejects.
   */
  readonly lastTime: (now: number, signal: AbortSignal) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly make: (signal: AbortSignal) => Promise<Made>;
  readonly onMade: (made: Made) => void;
  /** Called when a run of the job has failed. Never rejects. */
  readonly onFailed: (error: unknown, signal: AbortSignal) => Promise<void>;
}

interface Schedule {
  /** Starts the job's next run, if it is due and no run is in progress. */
  tick(): void;
  /**
   * The number of seconds since the last successful run started. If there was none, the number of seconds since the schedule was
   * created.
   */
  ageSeconds(): number;
  close(): Promise<void>;
}

/**
 * Creates a schedule for a job. Each run is due `everyMs` after the start of the last successful run, even if the process was
 * restarted in the meantime. If a run fails, the next one is due `everyMs` after the start of the failed run.
 */
export function createSchedule<Made>(options: ScheduleOptions<Made>): Schedule {
  const { everyMs, lastTime, clock, make, onMade, onFailed } = options;
  const stop = new AbortController();
  let madeAt = clock.monotonicMs();
  let dueAt = madeAt;
  let underWay: Promise<void> | undefined = start().finally(end);

  async function start() {
    const now = clock.now();
    const last = await lastTime(now, stop.signal);
    if (last === undefined) return;
    madeAt -= now - last;
    dueAt = madeAt + everyMs;
  }
  async function makeOne() {
    const begunAt = clock.monotonicMs();
    dueAt = begunAt + everyMs;
    try {
      const made = await make(stop.signal);
      madeAt = begunAt;
      onMade(made);
    } catch (error) {
      if (!stop.signal.aborted) await onFailed(error, stop.signal);
    }
  }
  function end() {
    underWay = undefined;
  }

  return {
    tick() {
      if (underWay !== undefined || stop.signal.aborted || clock.monotonicMs() < dueAt) return;
      underWay = makeOne().finally(end);
    },
    ageSeconds: () => (clock.monotonicMs() - madeAt) / 1000,
    async close() {
      stop.abort();
      await underWay;
    },
  };
}
