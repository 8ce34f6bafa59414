export interface BucketAccess {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /**
   * The session token, or an empty string if the access keys need no token. If this were undefined, the runtime would use the token
   * in the environment.
   */
  readonly sessionToken: string;
  readonly region: string;
  readonly endpoint: string;
}

export interface BucketPlace {
  readonly bucket: string;
  /** The path in the bucket: empty, or names separated by slashes, such as `shop/backups`. */
  readonly path: string;
}

const BUCKET = "[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]";
/**
 * Characters that every S3-compatible object store accepts in object keys without encoding (Amazon S3, "Naming Amazon S3 objects").
 */
const NAMES = "[\\w!*'().-]+(?:/[\\w!*'().-]+)*";
const URL_FORM = new RegExp(`^s3://(${BUCKET})(?:/(${NAMES})?/?)?$`);

/** True if the text begins with `s3:`, which makes it an address in a bucket rather than a file path. */
export function isBucketUrl(text: string): boolean {
  return /^s3:/i.test(text);
}

/** Parses `s3://bucket/path`. Returns undefined for any other text. */
export function parseBucketUrl(text: string): BucketPlace | undefined {
  const [, bucket, path = ""] = URL_FORM.exec(text) ?? [];
  const isUsable = bucket !== undefined && !path.split("/").some((name) => /^\.+$/.test(name));
  return isUsable ? { bucket, path } : undefined;
}
