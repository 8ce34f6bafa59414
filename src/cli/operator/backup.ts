import { accessSync, constants } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { readBucketAccess } from "../../config/environment.ts";
import { BACKUP_COUNT } from "../../config/values.ts";
import { isBucketUrl } from "../../platform/bucket-url.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { exists, nearestFolder } from "../../platform/file-errors.ts";
import { backUpStore, requireEmbedded } from "../../storage/backup/backup.ts";
import {
  backUpAsObject,
  backUpIntoBucket,
  backupsInBucket,
  withDownload,
} from "../../storage/backup/backup-bucket.ts";
import {
  type BackupInFolder,
  backUpIntoFolder,
  backupsInFolder,
} from "../../storage/backup/backup-folder.ts";
import { restoreStore } from "../../storage/backup/restore.ts";
import { describeLack } from "../../storage/file-system.ts";
import { refuseUnfit } from "../../storage/identity/store-folder.ts";
import type { Command } from "../command.ts";
import { lineOf } from "../doctor/check-result.ts";
import { checkContents } from "../doctor/contents.ts";
import { inSteps } from "../terminal/in-steps.ts";
import { type JsonOption, print, printJson, printStatus } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";
import { addSettings, configOf } from "./settings.ts";

export function addCommands(program: Command): void {
  const backup = program
    .command("backup")
    .description("back up the store to one file; safe while the service runs; never overwrites a file")
    .argument(
      "<path>",
      "file to write the backup to, or s3://bucket/key; with --keep or --list: folder of the backups, or s3://bucket/prefix",
    )
    .option(
      "--keep <count>",
      "create a backup with the time in its name, keep this many of the newest backups, and remove older ones",
      kept,
    )
    .addOption(
      new Option("--list", "make no backup; list the scheduled backups of this store instead").conflicts(
        "keep",
      ),
    )
    .option("--json", "print the contents of the backup as JSON")
    .addExamples(
      "petstore backup ./petstore.backup",
      "petstore backup --keep 48 ./backups",
      "petstore backup --list s3://my-bucket/petstore",
    );
  addSettings(backup).action(async (path: string, options: BackupOptions) => {
    if (options.list) return listBackups(path, options);
    await backUp(options, (store) => makeAt(path, options.keep, store));
  });

  const restore = program
    .command("restore")
    .description("check a backup and restore it; the data folder must be empty, unless you add --replace")
    .argument(
      "<file>",
      "backup to restore: a file, s3://bucket/key, or s3://bucket/prefix for the newest backup with this prefix",
    )
    .option(
      "--replace",
      "replace the store that is in the data folder; its old files are kept in another folder, next to the data folder; stop the service first",
    )
    .option("--json", "print a list of the restored databases as JSON")
    .addExamples(
      "petstore restore ./petstore.backup --data-dir ./restored",
      "petstore restore ./petstore.backup --data-dir ./restored --replace",
      "petstore restore s3://my-bucket/petstore --data-dir ./restored",
    );
  addSettings(restore).action(restoreFile);
}

interface BackupOptions extends JsonOption {
  readonly keep?: number;
  readonly list?: true;
}

function kept(text: string): number {
  const count = BACKUP_COUNT.parse(text);
  if (count === undefined) throw new InvalidArgumentError(`Use ${BACKUP_COUNT.expected}.`);
  return count;
}

type StoreOptions = Omit<Parameters<typeof backUpStore>[0], "file">;
type Made = Pick<BackupInFolder, "file" | "databases">;

function makeAt(path: string, keep: number | undefined, store: StoreOptions): Promise<Made> {
  if (isBucketUrl(path)) {
    const options = { ...store, place: path, access: readBucketAccess() };
    return keep === undefined ? backUpAsObject(options) : backUpIntoBucket({ ...options, keep });
  }
  return keep === undefined
    ? backUpStore({ ...store, file: path }).then((databases) => ({ file: path, databases }))
    : backUpIntoFolder({ ...store, folder: path, keep });
}

async function listBackups(path: string, options: BackupOptions) {
  const { dataDir } = configOf(options);
  const now = systemClock.now();
  const backups = isBucketUrl(path)
    ? await backupsInBucket({ dataDir, place: path, access: readBucketAccess() }, now)
    : await backupsInFolder(path, now);
  const listed = backups.map(({ name, time }) => ({ name, startedAt: formatTime(time) }));
  if (options.json) printJson(listed);
  else for (const { name } of listed) print(name);
  if (listed.length === 0) printStatus(`There is no scheduled backup of this store in ${path}.`);
}

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
    `Backed up ${dataDir} to ${made.file}: ${sizeOf(made.databases)}, including every change that was acknowledged before ${time}.`,
  );
  const damage = checks.filter(({ state }) => state !== "ok");
  for (const one of damage) printStatus(lineOf(one));
  if (damage.length > 0) process.exitCode = 1;
}

async function restoreFile(path: string, options: JsonOption & { replace?: true }) {
  const { dataDir, databaseUrl } = configOf(options);
  const isReplacing = options.replace ?? false;
  const { from, entries } = await inSteps("Nothing was replaced.", async (onProgress) => {
    const lacking = databaseUrl === undefined ? describeLack([nearestFolder(dataDir)]) : undefined;
    if (lacking !== undefined) throw new Error(`Nothing was restored: ${lacking}.`);
    const restore = (file: string) => restoreStore({ dataDir, databaseUrl, file, isReplacing, onProgress });
    if (isBucketUrl(path))
      return withDownload({ dataDir, place: path, access: readBucketAccess(), onProgress, use: restore });
    // Checks the permission to read the file. Without this check, a file that the current user may not read would look damaged.
    if (exists(path)) accessSync(path, constants.R_OK);
    return { from: path, used: await restore(path) };
  }).then(({ from, used }) => ({ from, entries: used }));
  printOutcome(
    options,
    { ...(isBucketUrl(path) && { file: from }), dataDir, databases: entries },
    `Verified ${from}, and restored it to ${dataDir}: ${sizeOf(entries)}. Start the service with this data folder.`,
  );
}

function sizeOf(entries: readonly { readonly bytes: number }[]): string {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${entries.length} databases, ${(bytes / 1e6).toFixed(1)} MB`;
}
