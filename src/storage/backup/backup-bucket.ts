import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../errors.ts";
import { type BucketAccess, parseBucketUrl } from "../../platform/bucket-url.ts";
import { systemClock } from "../../platform/clock.ts";
import { nearestFolder } from "../../platform/file-errors.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { examineStore } from "../identity/examine.ts";
import { backUpStore, type OnProgress } from "./backup.ts";
import type { BackupEntry, BackupOrigin } from "./backup-file.ts";
import {
  type BackupInFolder,
  lockFolder,
  removeLeftovers,
  sendingFolder,
  workFolderOf,
} from "./backup-folder.ts";
import { backupName, backupsAmong, type NamedBackup, newestAmong, outdated } from "./backup-names.ts";
import { type Bucket, openBucket } from "./bucket.ts";

const START = "petstore-"; // beginning of the names of scheduled backups
const STORE_MARK_LENGTH = 8; // characters of the store's identifier in the name of a backup

interface BucketOptions {
  readonly dataDir: string;
  /** `s3://bucket/prefix` */
  readonly place: string;
  readonly access: BucketAccess;
  readonly origin: BackupOrigin;
  readonly onProgress: OnProgress;
}

/**
 * Creates a backup in a bucket, and then removes the oldest backups of this store there. Backups of other stores are left alone.
 *
 * @throws Error with a text for the operator; no backup was removed, unless the text says so
 */
export async function backUpIntoBucket(
  options: BucketOptions & { readonly keep: number },
): Promise<BackupInFolder> {
  const { dataDir, keep, origin } = options;
  const bucket = openBucket(options.place, options.access);
  const store = await storeMark(dataDir);
  const name = await unusedName(bucket, origin.startedAt, store);
  const databases = await send(bucket, name, options);
  const file = `${bucket.url}/${name}`;
  try {
    const backups = await ownBackups(bucket, store, origin.startedAt);
    const removed = outdated(backups, name, keep);
    for (const one of removed) await bucket.remove(one);
    return { file, databases, removed };
  } catch (error) {
    throw new Error(`${file} was made, but older backups may not have been removed. ${errorMessage(error)}`);
  }
}

/** Creates a backup with a name of the operator's choice in a bucket. @throws Error with a text for the operator */
export async function backUpAsObject(
  options: BucketOptions,
): Promise<Pick<BackupInFolder, "file" | "databases">> {
  if (!hasName(options.place)) throw new Error("Name the backup: s3://bucket/NAME, or use --keep.");
  const { bucket, name } = objectAt(options.place, options.access);
  if ((await bucket.size(name)) !== undefined)
    throw new Error(
      `${options.place} already exists. A backup never overwrites anything: choose another name.`,
    );
  return { file: options.place, databases: await send(bucket, name, options) };
}

async function send(
  bucket: Bucket,
  name: string,
  { dataDir, origin, onProgress }: BucketOptions,
): Promise<readonly BackupEntry[]> {
  const folder = sendingFolder(dataDir);
  if (!existsSync(dataDir)) throw new Error(`There is no store in ${dataDir}.`);
  createFolder(folder);
  using _lock = lockFolder(folder);
  removeLeftovers(folder);
  const own = join(folder, workFolderOf(process.pid));
  createFolder(own);
  try {
    const file = join(own, "made");
    const databases = await backUpStore({
      dataDir,
      file,
      workFolder: join(own, "works"),
      origin,
      onProgress,
    });
    await bucket.upload(file, name, (done, total) => onProgress(`uploading to ${bucket.url}`, done, total));
    return databases;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** This store's scheduled backups in a bucket, oldest first. @throws Error with a text for the operator */
export async function backupsInBucket(
  { dataDir, place, access }: Pick<BucketOptions, "dataDir" | "place" | "access">,
  now: number,
): Promise<readonly NamedBackup[]> {
  return ownBackups(openBucket(place, access), await storeMark(dataDir), now);
}

async function ownBackups(bucket: Bucket, store: string | undefined, now: number) {
  return backupsAmong(await bucket.list(START), now).filter((one) => one.store === store);
}

/**
 * The name of a backup for this time, or for the next millisecond that has none: a clock that was set back may show a time
 * again.
 */
async function unusedName(bucket: Bucket, time: number, store: string | undefined): Promise<string> {
  const name = backupName(time, store);
  return (await bucket.size(name)) === undefined ? name : await unusedName(bucket, time + 1, store);
}

/** The beginning of the store's identifier, which a restore keeps; undefined if there is no store. Opens the databases. */
async function storeMark(dataDir: string): Promise<string | undefined> {
  const found = await examineStore(dataDir);
  const accounts = found.find(({ name }) => name === "accounts");
  return accounts?.contents?.state?.storeId.slice(0, STORE_MARK_LENGTH);
}

interface DownloadOptions<Used> extends Omit<BucketOptions, "origin"> {
  readonly use: (file: string) => Promise<Used>;
}

/**
 * Downloads a backup to a file next to the data folder, calls `use`, and removes the file. The address is that of a backup, or
 * of a prefix, whose newest backup is then used.
 *
 * @returns the backup's address, and the result of `use`
 * @throws Error with a text for the operator
 */
export async function withDownload<Used>({
  dataDir,
  place,
  access,
  onProgress,
  use,
}: DownloadOptions<Used>): Promise<{ readonly from: string; readonly used: Used }> {
  const { bucket, name } = await find(place, access, dataDir);
  const from = `${bucket.url}/${name}`;
  const file = join(nearestFolder(resolve(dataDir)), `petstore-download-${process.pid}.partial`);
  rmSync(file, { force: true });
  try {
    await bucket.download(name, file, (done, total) => onProgress(`downloading ${name}`, done, total));
    return { from, used: await use(file) };
  } finally {
    rmSync(file, { force: true });
  }
}

async function find(place: string, access: BucketAccess, dataDir: string) {
  if (hasName(place)) {
    const object = objectAt(place, access);
    if ((await object.bucket.size(object.name)) !== undefined) return object;
  }
  const bucket = openBucket(place, access);
  const backups = backupsAmong(await bucket.list(START), systemClock.now());
  const own = await storeMark(dataDir);
  const stores = [...new Set(backups.map(({ store }) => store))];
  const ofStore = (mark: string | undefined) => backups.filter(({ store }) => store === mark);
  const isClear = own === undefined ? stores.length <= 1 : stores.length === 0 || stores.includes(own);
  if (!isClear)
    throw new Error(
      `${bucket.url} has backups of ${own === undefined ? "several stores" : "another store"}. Name one: ${stores.map((store) => newestAmong(ofStore(store)).name).join(", ")}`,
    );
  const ours = ofStore(own ?? stores[0]);
  const { name } = newestAmong(ours);
  if (name === undefined) throw new Error(`There is no backup at ${bucket.url}.`);
  return { bucket, name };
}

const hasName = (place: string) => parseBucketUrl(place)?.path !== "";

/** Splits an address into its prefix and the name of an object. */
function objectAt(place: string, access: BucketAccess): { bucket: Bucket; name: string } {
  const cut = place.replace(/\/$/, "").lastIndexOf("/");
  return { bucket: openBucket(place.slice(0, cut), access), name: place.slice(cut + 1) };
}

/** Writes an object to a bucket, reads it and removes it. @throws Error with a text for the operator */
export async function probeBucket({ place, access }: Pick<BucketOptions, "place" | "access">): Promise<void> {
  await openBucket(place, access).probe(`petstore-doctor-${process.pid}.probe`);
}
