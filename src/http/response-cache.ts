import { leastRole, type Operation } from "../contract/operation.ts";
import { RESPONSE_CACHE_BODY_BYTES_MAX, RESPONSE_CACHE_BYTES, RESPONSE_CACHE_ENTRIES } from "../limits.ts";
import type { DataVersion } from "../storage/database.ts";
import type { ResponseData } from "./response.ts";

/** Responses by request address, in two generations: an entry that is not used for a whole generation is dropped. */
export interface ResponseCache {
  /** The version of the data at this moment; to be asked before reading what is to be cached. */
  version(): DataVersion;
  /**
   * The response to the same request, if nothing has been committed since it was read, by any process: it is never
   * older than the last acknowledged write.
   */
  get(address: string): ResponseData | undefined;
  /** Offers a response; it is cached when the same address has been offered before, not long ago. */
  set(address: string, version: DataVersion, response: ResponseData): void;
}

interface Entry {
  readonly version: DataVersion;
  readonly response: ResponseData;
  readonly size: number;
}

/** @param count called for each response that is found (hit), and for each that is cached (kept) */
export function createResponseCache(
  version: () => DataVersion,
  count: (outcome: "hit" | "kept") => void = () => {},
): ResponseCache {
  let recent = new Map<string, Entry>();
  let older = new Map<string, Entry>();
  let size = 0;
  const offered = new Uint32Array(RESPONSE_CACHE_ENTRIES);

  function keep(address: string, entry: Entry): void {
    if (recent.size >= RESPONSE_CACHE_ENTRIES || size > RESPONSE_CACHE_BYTES) {
      older = recent;
      recent = new Map();
      size = 0;
    }
    recent.set(address, entry);
    size += entry.size;
  }

  /** Caching a response that is not requested again costs more than reading it. */
  function wasOffered(address: string): boolean {
    const hash = Bun.hash.crc32(address);
    const index = hash % offered.length;
    const isAgain = offered[index] === hash;
    offered[index] = hash;
    return isAgain;
  }

  function find(address: string): Entry | undefined {
    const found = recent.get(address);
    if (found !== undefined) return found;
    const aged = older.get(address);
    if (aged !== undefined) keep(address, aged);
    return aged;
  }

  return {
    version,
    get(address) {
      const entry = find(address);
      if (entry === undefined || entry.version !== version()) return undefined;
      count("hit");
      return entry.response;
    },
    set(address, version, response) {
      const { length } = response.body ?? "";
      if (length > RESPONSE_CACHE_BODY_BYTES_MAX || !wasOffered(address)) return;
      keep(address, { version, response: { ...response, assembled: {} }, size: length });
      count("kept");
    },
  };
}

/** Whether a response depends on the address alone: not on the date, as a deprecated one does, nor on the account's role. */
export function isCacheable(operation: Operation): boolean {
  const { method, deprecation } = operation;
  return method === "GET" && leastRole(operation) === "viewer" && deprecation === undefined;
}
