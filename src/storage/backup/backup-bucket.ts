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

const START = "petstore-"; // beginning of the name of every scheduled backup
const NAMES_TRIED_MAX = 100; // number of names that are tried for a backup; if all of them seem to be taken, the server is probably not an S3 server
const STORE_MARK_LENGTH = 8; // number of characters of the store's identifier that are part of a backup's name

interface BucketOptions {
  readonly dataDir: string;
  /** The address that the backups are stored under: `s3://bucket/prefix`. */
  readonly place: string;
  readonly access: BucketAccess;
  readonly origin: BackupOrigin;
  readonly onProgress: OnProgress;
}

/**
 * Creates a backup in a bucket, and then removes this store's oldest backups from the bucket. Other stores' backups are not
 * touched.
 *
 * @throws Error with a message for the operator; unless the message says otherwise, no backup was removed
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
    throw new Error(
      `The backup ${file} was made, but older backups may not have been removed. ${errorMessage(error)}`,
    );
  }
}

/** Creates a backup in a bucket, with a name that the operator chose. @throws Error with a message for the operator */
export async function backUpAsObject(
  options: BucketOptions,
): Promise<Pick<BackupInFolder, "file" | "databases">> {
  if (!hasName(options.place))
    throw new Error(
      "The name of the backup is missing: add it (s3://bucket/NAME), or use --keep, which chooses a name.",
    );
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

/** Lists this store's scheduled backups in a bucket, oldest first. @throws Error with a message for the operator */
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
 * Returns a name for a backup made at this time. If that name is taken, tries the following milliseconds until it finds a free
 * name. (The same time can occur twice if the clock was set back.)
 *
 * @throws Error for the operator if too many names in a row seem to be taken, because the server is then probably not an S3 server
 */
async function unusedName(bucket: Bucket, time: number, store: string | undefined): Promise<string> {
  for (let tried = 0; tried < NAMES_TRIED_MAX; tried++) {
    const name = backupName(time + tried, store);
    if ((await bucket.size(name)) === undefined) return name;
  }
  throw new Error(
    `The server of ${bucket.url} claims that every file exists, whatever its name, so it is probably not an S3 server. Set AWS_ENDPOINT_URL_S3 to the address of an S3 server.`,
  );
}

/**
 * Returns the first characters of the store's identifier, which a restore does not change. Returns undefined if there is no
 * store. Opens the databases to read the identifier.
 */
async function storeMark(dataDir: string): Promise<string | undefined> {
  const found = await examineStore(dataDir);
  const accounts = found.find(({ name }) => name === "accounts");
  return accounts?.contents?.state?.storeId.slice(0, STORE_MARK_LENGTH);
}

interface DownloadOptions<Used> extends Omit<BucketOptions, "origin"> {
  readonly use: (file: string) => Promise<Used>;
}

/**
 * Downloads a backup to a temporary file next to the data folder, calls `use` with that file, and then removes the file. If `place`
 * is a prefix rather than the address of a backup, the newest backup under the prefix is downloaded.
 *
 * @returns the backup's address, and the result of `use`
 * @throws Error with a message for the operator
 */
export async function withDownload<Used>({
  dataDir,
  place,
  access,
  onProgress,
  use,
}: DownloadOptions<Used>): Promise<{ readonly from: string; readonly used: Used }> {
  const { bucket, name } = await findBackup(place, access, dataDir);
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

/**
 * Finds the backup at an address. If the address is a prefix, finds the newest backup under it. If several stores have backups
 * there, only backups of the store in the data folder are considered.
 *
 * @throws Error for the operator if there is no backup, or if it is unclear which store's backup to use
 */
async function findBackup(place: string, access: BucketAccess, dataDir: string) {
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
      `${bucket.url} has backups of ${own === undefined ? "several stores" : "another store"}. Choose one of these backups: ${stores.map((store) => newestAmong(ofStore(store)).name).join(", ")}`,
    );
  const ours = ofStore(own ?? stores[0]);
  const { name } = newestAmong(ours);
  if (name === undefined) throw new Error(`There is no backup at ${bucket.url}.`);
  return { bucket, name };
}

const hasName = (place: string) => parseBucketUrl(place)?.path !== "";

/** Splits an object's address into the prefix and the object's name. */
function objectAt(place: string, access: BucketAccess): { bucket: Bucket; name: string } {
  const cut = place.replace(/\/$/, "").lastIndexOf("/");
  return { bucket: openBucket(place.slice(0, cut), access), name: place.slice(cut + 1) };
}

/** Tests a bucket by writing an object, reading it back and removing it. @throws Error with a message for the operator */
export async function probeBucket({ place, access }: Pick<BucketOptions, "place" | "access">): Promise<void> {
  await openBucket(place, access).probe(`petstore-doctor-${process.pid}.probe`);
}
