import { newestBackupTime } from "../storage/backup/backup-folder.ts";
import { registerBackupMetrics } from "../telemetry/metrics/backup-metrics.ts";
import { backUpInProcess } from "./backup-process.ts";
import type { DatabaseDeps } from "./open-database.ts";
import { startSchedule } from "./schedule.ts";

/** Makes backups on a schedule, where a folder for them is set. */
export function startScheduledBackups({ config, clock, log, metrics, resources }: DatabaseDeps): void {
  const { dataDir, backupDir: folder, backupEvery: everyMs, backupKeep: keep } = config;
  if (folder === undefined) return;
  const schedule = startSchedule({
    everyMs,
    lastTime: () => newestBackupTime(folder),
    clock,
    make: (signal) => backUpInProcess({ dataDir, folder, keep }, signal),
    onMade({ file, databases, removed }) {
      count("made");
      const bytes = databases.reduce((sum, database) => sum + database.bytes, 0);
      log.info({ file, bytes, removed: removed.length }, "a backup was made");
    },
    onFailed(err) {
      count("failed");
      log.error({ err }, "a backup failed; the next one is made on schedule");
    },
  });
  const count = registerBackupMetrics(metrics.registry, everyMs / 1000, schedule.ageSeconds);
  resources.defer(schedule.close);
}
