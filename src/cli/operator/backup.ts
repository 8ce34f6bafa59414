import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { formatTime, systemClock } from "../../platform/clock.ts";
import { backUpStore, type OnProgress } from "../../storage/backup/backup.ts";
import { restoreStore } from "../../storage/backup/restore.ts";
import { addExamples } from "../examples.ts";
import { type JsonOption, printOutcome } from "../terminal/output.ts";
import { type Progress, startProgress } from "../terminal/progress.ts";
import { addSettings, configOf } from "./settings.ts";

/** `petstore backup FILE`, `petstore restore FILE` */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command("backup")
    .description("write the whole store to one file while the service runs; never overwrites a file")
    .argument("<file>", "file to create")
    .option("--json", "print the contents of the backup as JSON");
  addSettings(backup).action(backUpToFile);
  addExamples(backup, "petstore backup ./petstore.backup");
  const restore = program
    .command("restore")
    .description("check a backup and restore it to an empty data folder")
    .argument("<file>", "file from petstore backup")
    .option("--json", "print the restored databases as JSON");
  addSettings(restore).action(restoreFile);
  addExamples(restore, "petstore restore ./petstore.backup --data-dir ./restored");
}

function backUpToFile(file: string, options: JsonOption): void {
  const { dataDir, databaseUrl } = configOf(options);
  const progress = showSteps();
  const startedAt = systemClock.now();
  const origin = { program: packageJson.version, startedAt };
  const entries = backUpStore({ dataDir, databaseUrl, file, origin, onProgress: progress.update });
  progress.end();
  const time = formatTime(startedAt);
  printOutcome(
    options,
    { file, startedAt: time, databases: entries },
    `Backed up ${dataDir} to ${file}: ${sizeOf(entries)}, with every write acknowledged before ${time}.`,
  );
}

async function restoreFile(file: string, options: JsonOption): Promise<void> {
  const { dataDir, databaseUrl } = configOf(options);
  const progress = showSteps();
  const entries = await restoreStore({ dataDir, databaseUrl, file, onProgress: progress.update });
  progress.end();
  printOutcome(
    options,
    { dataDir, databases: entries },
    `Restored ${file} to ${dataDir}: ${sizeOf(entries)}, checked. Start the service with this data folder.`,
  );
}

/** One progress line per step. */
function showSteps(): { update: OnProgress; end(): void } {
  let current: { title: string; progress: Progress } | undefined;
  return {
    update(title, done, total) {
      if (current?.title !== title) {
        current?.progress.end();
        current = { title, progress: startProgress(title, total) };
      }
      current.progress.update(done);
    },
    end: () => current?.progress.end(),
  };
}

function sizeOf(entries: readonly { readonly bytes: number }[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${entries.length} databases, ${(bytes / 1e6).toFixed(1)} MB`;
}
