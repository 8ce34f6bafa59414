import type { Maybe } from "../platform/maybe.ts";
import type { DataVersion, Versions } from "../storage/database.ts";
import type { ResponseData } from "./response.ts";

export const RESPONSE_CACHE_ENTRIES = 1_000; // maximum number of responses in each of the cache's two generations; when the newer generation is full, the older one is dropped
export const RESPONSE_CACHE_BYTES = 8 * 1024 * 1024; // maximum total length of the bodies in each of the cache's two generations, in characters; when the newer generation is full, the older one is dropped
export const RESPONSE_CACHE_BODY_BYTES_MAX = 256 * 1024; // maximum length of a cached body, in characters; a response with a longer body is not cached

/**
 * Cache of responses in two generations, keyed by request address. When the newer generation is full, the older one is dropped,
 * with all entries that have not been used again.
 */
export interface ResponseCache {
  /**
   * Reads the version of the data. Call this after the request has arrived, and before its data is read. Returns undefined if
   * nobody has requested the address recently, because caching a response that nobody requests again costs more than it saves.
   *
   * @param now the time at which the request arrived, in milliseconds
   */
  version(address: string, now: number): Maybe<DataVersion | undefined>;
  /**
   * Returns the response that is cached for this version of the data, even if the response is still pending. The response
   * contains every write that any process has acknowledged.
   */
  get(address: string, version: DataVersion): Maybe<ResponseData> | undefined;
  /**
   * Caches a response, even if it is still pending. Read `version` before the data of the response; otherwise, old data could be
   * cached under a new version.
   */
  set(address: string, now: number, version: DataVersion, response: Maybe<ResponseData>): void;
  /** Drops all responses, including pending ones. */
  clear(): void;
}

interface Entry {
  readonly version: DataVersion;
  /** The cached response; undefined if the request failed, or if it must not be cached. */
  response: Maybe<ResponseData> | undefined;
  /** Number of characters in the body of the cached response; 0 while the response is pending. */
  readonly size: number;
  requestedAt: number;
}

/** Creates the cache of responses. @param count a callback for each response that is found (`hit`) or stored (`kept`) */
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

  /** Stores a response when its size is known, unless its entry has already been dropped or replaced. */
  function fill(address: string, entry: Entry, response: ResponseData) {
    entry.response = undefined;
    const { length } = response.body ?? "";
    if (length > RESPONSE_CACHE_BODY_BYTES_MAX || recent.get(address) !== entry) return;
    keep(address, { ...entry, response, size: length });
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

/**
 * Creates a function that adds an address to a hash table of fixed size. The function returns true if the address was already in
 * the table. If two addresses share a slot, the later address replaces the earlier one.
 */
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
