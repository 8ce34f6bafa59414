import { readBucketAccess } from "../../config/environment.ts";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { isLoopbackHost, unbracketHost } from "../../platform/ip-address.ts";
import { verifyBackup } from "../../storage/backup/backup.ts";
import { backupsInBucket, probeBucket, withDownload } from "../../storage/backup/backup-bucket.ts";
import { inSteps } from "../terminal/in-steps.ts";
import { judgeBackups } from "./backup-age.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

const ADVICE =
  "Check the bucket and its credentials. The service tries again at the time of the next scheduled backup. Until a backup succeeds, no new backup is stored outside this machine.";
const CLEAR = "Use an https address, because backups contain password hashes and webhook secrets.";

type BucketConfig = Config & { readonly backupDir: string };

/**
 * Checks that the access keys can write, read, list and remove objects in the backup bucket, and that the newest backup is not
 * too old.
 */
export async function checkBucket(config: BucketConfig, now: number): Promise<readonly CheckResult[]> {
  const { backupDir: place, dataDir } = config;
  const access = readBucketAccess();
  try {
    await probeBucket({ place, access });
    const found = await backupsInBucket({ dataDir, place, access }, now);
    const usable = ok("bucket", `${place} can be written, read and listed`);
    const { protocol, hostname } = new URL(access.endpoint);
    const isClear = protocol === "http:" && !isLoopbackHost(unbracketHost(hostname));
    const checked = isClear
      ? warn("bucket", `the connection to ${place} is not encrypted (no TLS)`, CLEAR)
      : usable;
    return [checked, ...judgeBackups(place, found, config, now)];
  } catch (error) {
    return [fail("bucket", errorMessage(error), ADVICE)];
  }
}

/** Downloads the newest backup, and compares its contents with their checksums. */
export async function checkNewest({
  backupDir: place,
  dataDir,
}: BucketConfig): Promise<readonly CheckResult[]> {
  const access = readBucketAccess();
  try {
    if ((await backupsInBucket({ dataDir, place, access }, systemClock.now())).length === 0) return [];
    const { from } = await inSteps("Nothing was changed.", (onProgress) =>
      withDownload({ dataDir, place, access, onProgress, use: (file) => verifyBackup(file, onProgress) }),
    );
    return [ok("newest backup", `${from} was downloaded and is intact`)];
  } catch (error) {
    return [fail("newest backup", errorMessage(error), ADVICE)];
  }
}
