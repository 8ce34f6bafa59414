import type { Config } from "../../config.ts";
import { systemClock } from "../../platform/clock.ts";
import { newestBackupTime } from "../../storage/backup/backup-folder.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";
import { checkDataFolder } from "./data-folder.ts";
import { checkDatabaseServer } from "./database-server.ts";

const BACKUP_LATE_MS = 15 * 60_000; // beyond two intervals, `petstore doctor` warns and the alert fires
const ADVICE = "Look for `a backup failed` in the service's log, or make one: petstore backup --keep 48 DIR";

/** Checks the store that these settings name, embedded or on a server, and its scheduled backups. */
export async function checkStore(config: Config): Promise<readonly CheckResult[]> {
  const now = systemClock.now();
  const folder = config.databaseUrl === undefined ? await checkDataFolder(config.dataDir, now) : [];
  return [...folder, ...(await checkDatabaseServer(config, now)), ...(await checkBackups(config, now))];
}

/** Whether the scheduled backups are made, where a folder for them is set. */
async function checkBackups(
  { backupDir: folder, backupEvery }: Config,
  now: number,
): Promise<readonly CheckResult[]> {
  if (folder === undefined) return [];
  const newest = await newestBackupTime(folder);
  if (newest === undefined)
    return [warn("backups", `there is none in ${folder}`, `The service's start makes one. ${ADVICE}`)];
  const message = `the last one in ${folder} is ${Math.round((now - newest) / 60_000)} minutes old`;
  const isLate = now - newest > 2 * backupEvery + BACKUP_LATE_MS;
  return [isLate ? warn("backups", message, ADVICE) : ok("backups", message)];
}
