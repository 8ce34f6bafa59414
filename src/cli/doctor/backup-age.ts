import type { Config } from "../../config.ts";
import { type NamedBackup, newestAmong } from "../../storage/backup/backup-names.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

const BACKUP_LATE_MS = 15 * 60_000; // grace period: `petstore doctor` warns, and the alert fires, if the newest backup is older than two backup intervals plus this time
const ADVICE =
  "Look for `a backup failed` in the service's log, or make a backup yourself: petstore backup --keep 48 DIR";

/** Decides whether the newest scheduled backup is too old. @param folder the folder or bucket that contains the backups */
export function judgeBackups(
  folder: string,
  found: readonly NamedBackup[],
  { backupEvery }: Config,
  now: number,
): readonly CheckResult[] {
  const { time, ahead } = newestAmong(found);
  const age = judgeAge(folder, time === undefined ? undefined : now - time, backupEvery);
  if (ahead === 0) return [age];
  const backups = pluralize(ahead, `backup in ${folder} is`, `backups in ${folder} are`);
  const wrong = warn(
    "backups",
    `${backups} dated in the future: the clock was ahead when the backup was made, or is behind now`,
    "Correct the clock (NTP). The next backups will replace those that are dated in the future.",
  );
  return time === undefined ? [wrong] : [age, wrong];
}

function judgeAge(folder: string, age: number | undefined, everyMs: number): CheckResult {
  if (age === undefined)
    return warn(
      "backups",
      `there is no backup in ${folder}`,
      `The first backup is made when the service starts. ${ADVICE}`,
    );
  const message = `the newest backup in ${folder} is ${Math.round(age / 60_000)} minutes old`;
  return age > 2 * everyMs + BACKUP_LATE_MS ? warn("backups", message, ADVICE) : ok("backups", message);
}
