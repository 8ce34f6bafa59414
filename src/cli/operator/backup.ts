import { accessSync, constants } from "node:fs";
import { InvalidArgumentError } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { BACKUP_COUNT, parseBackupCount } from "../../config.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { exists, nearestFolder } from "../../platform/file-errors.ts";
import { backUpStore, requireEmbedded } from "../../storage/backup/backup.ts";
import { type BackupInFolder, backUpIntoFolder } from "../../storage/backup/backup-folder.ts";
import { restoreStore } from "../../storage/backup/restore.ts";
import { describeLack } from "../../storage/file-system.ts";
import { refuseUnfit } from "../../storage/identity/store-folder.ts";
import type { Command } from "../command.ts";
import { lineOf } from "../doctor/check-result.ts";
import { checkContents } from "../doctor/contents.ts";
import { inSteps } from "../terminal/in-steps.ts";
import { type JsonOption, printStatus } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";
import { addSettings, configOf } from "./settings.ts";

export function addCommands(program: Command): void {
  const backup = program
    .command("backup")
    .description("back up the store to one file; safe while the service runs; never overwrites a file")
    .argument("<path>", "file to create; a folder with --keep")
    .option(
      "--keep <count>",
      "create a file in the folder, named after the time, and keep only this many of the newest",
      kept,
    )
    .option("--json", "print the contents of the backup as JSON")
    .addExamples("petstore backup ./petstore.backup", "petstore backup --keep 48 ./backups");
  addSettings(backup).action(async (path: string, options: BackupOptions) => {
    const { keep } = options;
    await backUp(options, async (store) =>
      keep === undefined
        ? { file: path, databases: await backUpStore({ ...store, file: path }) }
        : backUpIntoFolder({ ...store, folder: path, keep }),
    );
  });

  const restore = program
    .command("restore")
    .description(
      "check and restore a backup; to an empty data folder, or in place of the store that is there",
    )
    .argument("<file>", "file from petstore backup")
    .option(
      "--replace",
      "replace the store, and keep its old files in a folder next to it; stop the service first",
    )
    .option("--json", "print the restored databases as JSON")
    .addExamples(
      "petstore restore ./petstore.backup --data-dir ./restored",
      "petstore restore ./petstore.backup --data-dir ./restored --replace",
    );
  addSettings(restore).action(restoreFile);
}

interface BackupOptions extends JsonOption {
  readonly keep?: number;
}

function kept(text: string): number {
  const count = parseBackupCount(text);
  if (count === undefined) throw new InvalidArgumentError(`It must be ${BACKUP_COUNT}.`);
  return count;
}

type StoreOptions = Omit<Parameters<typeof backUpStore>[0], "file">;
type Made = Pick<BackupInFolder, "file" | "databases">;

async function backUp(options: BackupOptions, make: (store: StoreOptions) => Promise<Made>) {
  const config = configOf(options);
  const { dataDir } = config;
  requireEmbedded(config.databaseUrl);
  const startedAt = systemClock.now();
  const origin = { program: packageJson.version, startedAt };
  const made = await inSteps("No backup was made.", async (onProgress) => {
    await refuseUnfit(dataDir, { isCopied: true });
    return make({ dataDir, origin, onProgress });
  });
  const checks = await checkContents(config, false);
  const time = formatTime(startedAt);
  printOutcome(
    options,
    { startedAt: time, ...made, checks },
    `Backed up ${dataDir} to ${made.file}: ${sizeOf(made.databases)}, with every write acknowledged before ${time}.`,
  );
  const damage = checks.filter(({ state }) => state !== "ok");
  for (const one of damage) printStatus(lineOf(one));
  if (damage.length > 0) process.exitCode = 1;
}

async function restoreFile(file: string, options: JsonOption & { replace?: true }) {
  const { dataDir, databaseUrl } = configOf(options);
  // Otherwise it would look damaged.
  if (exists(file)) accessSync(file, constants.R_OK);
  const isReplacing = options.replace ?? false;
  const entries = await inSteps("Nothing was replaced.", async (onProgress) => {
    const lacking = databaseUrl === undefined ? describeLack([nearestFolder(dataDir)]) : undefined;
    if (lacking !== undefined) throw new Error(`Nothing was restored: ${lacking}.`);
    return restoreStore({ dataDir, databaseUrl, file, isReplacing, onProgress });
  });
  printOutcome(
    options,
    { dataDir, databases: entries },
    `Restored ${file} to ${dataDir}: ${sizeOf(entries)}, checked. Start the service with this data folder.`,
  );
}

function sizeOf(entries: readonly { readonly bytes: number }[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${entries.length} databases, ${(bytes / 1e6).toFixed(1)} MB`;
}
