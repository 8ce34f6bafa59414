import { type BucketAccess, parseBucketUrl } from "../../platform/bucket-url.ts";
import { ANSWER_MS, answered, noneIfMissing } from "./bucket-errors.ts";
import { download, type OnBytes, upload } from "./bucket-transfer.ts";

const PAGES_MAX = 1_000; // maximum number of pages (1,000 names each) that are read from a listing; without this limit, an endless listing would fill the memory
const RETRIES = 3; // number of times that a failed part of an upload is immediately retried

/**
 * The objects under one prefix of a bucket. Error messages contain the object store's error code, but no other text from its
 * responses.
 */
export interface Bucket {
  /** The prefix's address: `s3://bucket/prefix`. */
  readonly url: string;
  /** Lists the names of the objects that are directly under the prefix and begin with `start`. */
  list(start: string): Promise<readonly string[]>;
  /** Returns an object's size in bytes, or undefined if the object does not exist. */
  size(name: string): Promise<number | undefined>;
  /**
   * Uploads a file in parts, and then checks the object's size and checksum. The object becomes visible only when all of its parts
   * are uploaded. An interrupted upload is aborted, and leaves no object behind.
   */
  upload(file: string, name: string, onBytes: OnBytes): Promise<void>;
  /** Downloads an object to a new file, and then checks that the file has the size of the object. */
  download(name: string, file: string, onBytes: OnBytes): Promise<void>;
  probe(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Opens the bucket that an address leads to. @throws Error if the text is not the address of a bucket */
export function openBucket(text: string, access: BucketAccess): Bucket {
  const place = parseBucketUrl(text);
  if (place === undefined) throw new Error("Write the address of a bucket as s3://bucket/prefix.");
  const { bucket, path } = place;
  const client = new Bun.S3Client({ ...access, bucket, retry: RETRIES, queueSize: 1 });
  const prefix = path === "" ? "" : `${path}/`;
  const url = `s3://${bucket}${path === "" ? "" : `/${path}`}`;
  let checked: Promise<void> | undefined;
  /**
   * Returns the client after checking that the bucket's address does not redirect. The runtime's client would follow a redirect,
   * and would send the backup and the session token to the other address.
   */
  async function checkedClient() {
    checked ??= refuseRedirects(new URL(`/${bucket}/`, access.endpoint), url);
    await checked;
    return client;
  }
  const objectOf = async (name: string) => (await checkedClient()).file(prefix + name);
  const ask = async <Result>(name: string, request: (object: Bun.S3File) => Promise<Result>) => {
    const object = await objectOf(name);
    return answered(request(object), url);
  };

  return {
    url,
    async list(start) {
      const names: string[] = [];
      let continuationToken: string | undefined;
      for (let page = 0; page < PAGES_MAX; page++) {
        const input = { prefix: prefix + start, ...(continuationToken && { continuationToken }) };
        const {
          contents = [],
          isTruncated,
          nextContinuationToken,
        } = await answered((await checkedClient()).list(input), url);
        // Filters the names, because an object store might ignore the requested prefix.
        const own = contents.map(({ key }) => key).filter((key) => key.startsWith(prefix + start));
        names.push(...own.map((key) => key.slice(prefix.length)).filter((name) => !name.includes("/")));
        continuationToken = isTruncated ? nextContinuationToken : undefined;
        if (continuationToken === undefined) return names;
      }
      throw new Error(
        `${url} contains too many objects whose names begin with ${start}. Use a separate prefix for backups.`,
      );
    },
    async size(name) {
      const found = await ask(name, (object) => object.stat().catch(noneIfMissing));
      return found?.size;
    },
    async upload(file, name, onBytes) {
      await upload(file, { object: await objectOf(name), url }, onBytes);
    },
    async download(name, file, onBytes) {
      const total = await this.size(name);
      if (total === undefined) throw new Error(`There is no ${name} in ${url}.`);
      await download({ object: await objectOf(name), url }, file, (done) => onBytes(done, total));
    },
    async probe(name) {
      await ask(name, (object) => object.write(name));
      const text = await ask(name, (object) => object.text());
      await ask(name, (object) => object.unlink());
      if (text !== name) throw new Error(`${url} did not store the object that petstore wrote.`);
    },
    remove: (name) => ask(name, (object) => object.unlink()),
  };
}

/**
 * Sends a request without credentials, to find out whether the address redirects. If the object store cannot be reached, this
 * reports nothing, because the next request will report it.
 */
async function refuseRedirects(address: URL, url: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(address, { method: "HEAD", redirect: "manual", signal }).catch(() => undefined);
  if (answer?.headers.has("location"))
    throw new Error(
      `${url} redirects to another address. Set AWS_REGION and AWS_ENDPOINT_URL_S3 to the region and the address of the bucket.`,
    );
}
