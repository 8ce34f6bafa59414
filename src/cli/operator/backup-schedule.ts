import { errorMessage } from "../../errors.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { backUpInProcess } from "../../server/backup-process.ts";
import { startSchedule } from "../../server/schedule.ts";
import { requireEmbedded } from "../../storage/backup/backup.ts";
import { newestBackupTime } from "../../storage/backup/backup-folder.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { type JsonOption, printStatus } from "../terminal/output.ts";
import { printOutcome } from "../terminal/records.ts";
import { configOf } from "./settings.ts";

interface Schedule {
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
}

/** Makes backups until it is interrupted, which ends the one under way. */
export async function backUpEvery({ folder, everyMs, keep }: Schedule, options: JsonOption): Promise<void> {
  const { dataDir, databaseUrl } = configOf(options);
  requireEmbedded(databaseUrl);
  using interrupt = listenForInterrupt();
  const interrupted = Promise.withResolvers<void>();
  interrupt.signal.addEventListener("abort", () => interrupted.resolve());
  const schedule = startSchedule({
    everyMs,
    lastTime: () => newestBackupTime(folder),
    clock: systemClock,
    make: (signal) => backUpInProcess({ dataDir, folder, keep }, signal),
    onMade: (made) => printOutcome(options, made, `Backed up ${dataDir} to ${made.file}.`),
    onFailed: (error) => printStatus(`${formatTime(systemClock.now())} No backup: ${errorMessage(error)}`),
  });
  printStatus(
    `Backing up ${dataDir} to ${folder} every ${everyMs / 1000} s, and keeping ${keep}. Stop with Ctrl-C.`,
  );
  await interrupted.promise;
  await schedule.close();
}
