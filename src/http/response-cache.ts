import type { Maybe } from "../platform/maybe.ts";
import type { DataVersion, Versions } from "../storage/database.ts";
import type { ResponseData } from "./response.ts";

export const RESPONSE_CACHE_ENTRIES = 1_000; // in one of two generations; then the older one is dropped
export const RESPONSE_CACHE_BYTES = 8 * 1024 * 1024; // characters of one generation's bodies; then the same
export const RESPONSE_CACHE_BODY_BYTES_MAX = 256 * 1024; // characters; a longer body is not cached

/** Responses by request address, in two generations: an entry that is not used for a whole generation is dropped. */
export interface ResponseCache {
  /**
   * The version of the data, asked after the request arrived and before its data is read. Undefined for an address that was
   * not requested before, or not lately: caching a response that is not requested again costs more than reading it.
   *
   * @param now milliseconds, of the request
   */
  version(address: string, now: number): Maybe<DataVersion | undefined>;
  /**
   * The response to the same request, if its reading began at this version: nothing has been committed since then, by any
   * process, so it is never older than the last acknowledged write. It may still be on its way from the database.
   */
  get(address: string, version: DataVersion): Maybe<ResponseData> | undefined;
  /** Caches a response that is being read, which began after the version was asked. */
  set(address: string, now: number, version: DataVersion, response: Maybe<ResponseData>): void;
  /** Drops all, those on their way too. */
  clear(): void;
}

interface Entry {
  readonly version: DataVersion;
  /** Undefined where it failed, or is not to be cached. */
  response: Maybe<ResponseData> | undefined;
  /** Characters; 0 while it is on its way. */
  readonly size: number;
  requestedAt: number;
}

/** @param count called for each response that is found (hit), and for each that is cached (kept) */
export function createResponseCache(
  { current, lifeMs }: Pick<Versions, "current" | "lifeMs">,
  count: (outcome: "hit" | "kept") => void = () => {},
): ResponseCache {
  let recent = new Map<string, Entry>();
  let older = new Map<string, Entry>();
  let size = 0;
  const wasRequested = createRecentAddresses();

  function keep(address: string, entry: Entry) {
    size -= recent.get(address)?.size ?? 0;
    recent.delete(address);
    if (recent.size >= RESPONSE_CACHE_ENTRIES || size + entry.size > RESPONSE_CACHE_BYTES) {
      older = recent;
      recent = new Map();
      size = 0;
    }
    recent.set(address, entry);
    size += entry.size;
  }

  function find(address: string): Entry | undefined {
    const found = recent.get(address);
    if (found !== undefined) return found;
    const aged = older.get(address);
    if (aged !== undefined) keep(address, aged);
    return aged;
  }

  /** Its size is known only now: where its generation has ended, or its page was read anew, nothing is cached. */
  function fill(address: string, entry: Entry, response: ResponseData) {
    entry.response = undefined;
    const { length } = response.body ?? "";
    if (length > RESPONSE_CACHE_BODY_BYTES_MAX || recent.get(address) !== entry) return;
    keep(address, { ...entry, response: { ...response, assembled: {} }, size: length });
    count("kept");
  }

  return {
    version(address, now) {
      const entry = find(address);
      if (entry === undefined) return wasRequested(address) ? current() : undefined;
      const isOutdated = now - entry.requestedAt > lifeMs;
      entry.requestedAt = now;
      return isOutdated ? undefined : current();
    },
    get(address, version) {
      const entry = find(address);
      if (entry?.version !== version || entry.response === undefined) return undefined;
      count("hit");
      return entry.response;
    },
    set(address, now, version, response) {
      const entry: Entry = { version, response, size: 0, requestedAt: now };
      keep(address, entry);
      const forget = () => {
        entry.response = undefined;
      };
      if (response instanceof Promise) response.then((read) => fill(address, entry, read), forget);
      else fill(address, entry, response);
    },
    clear() {
      recent = new Map();
      older = new Map();
      size = 0;
    },
  };
}

/** Adds an address; yields whether it was there, in a table in which others take its place. */
function createRecentAddresses(): (address: string) => boolean {
  const hashes = new Uint32Array(RESPONSE_CACHE_ENTRIES);
  return (address) => {
    const hash = Bun.hash.crc32(address);
    const index = hash % hashes.length;
    const isAgain = hashes[index] === hash;
    hashes[index] = hash;
    return isAgain;
  };
}
