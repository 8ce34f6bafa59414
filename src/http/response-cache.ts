import type { Operation } from "../contract/operation.ts";
import { RESPONSE_CACHE_BODY_BYTES_MAX, RESPONSE_CACHE_BYTES, RESPONSE_CACHE_ENTRIES } from "../limits.ts";
import type { DataVersion } from "../storage/database.ts";
import { matchesEntityTag } from "./response.ts";

/** An answer as it went out, but for the lines that belong to one request alone. */
export interface CachedResponse {
  readonly operation: Operation;
  /** The data it was read from: nothing has been committed since while the store still has this version. */
  readonly version: DataVersion;
  readonly lines: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whole answers, by the address they were asked at. Bounded: what was not asked for lately is let go. */
export interface ResponseCache {
  /** The version of the data at this moment; ask before reading what is to be kept. */
  version(): DataVersion;
  /** Offers an answer; it is kept from the second time on. */
  set(address: string, page: CachedResponse): void;
  /** Whether there is an answer that may be recalled: cheaper to ask than who is asking. */
  has(address: string): boolean;
  /**
   * The answer to the same question, if nothing has been committed since, by any process: it is never older than the
   * last write that was acknowledged anywhere.
   */
  get(
    request: Request,
    requestId: string,
  ): { readonly response: Response; readonly operation: Operation } | undefined;
}

interface Entry extends CachedResponse {
  /** Made at the first recall: most pages are asked for once. */
  headers?: Headers;
}

/** @param count told of each answer that was there, and of each that is kept */
export function createResponseCache(
  version: () => DataVersion,
  count: (outcome: "hit" | "kept") => void = () => {},
): ResponseCache {
  let recent = new Map<string, Entry>();
  let older = new Map<string, Entry>();
  let bytes = 0;
  const asked = new Uint32Array(RESPONSE_CACHE_ENTRIES);

  function keep(address: string, page: Entry): void {
    if (recent.size >= RESPONSE_CACHE_ENTRIES || bytes > RESPONSE_CACHE_BYTES) {
      older = recent;
      recent = new Map();
      bytes = 0;
    }
    recent.set(address, page);
    bytes += page.body.length;
  }

  /** Whether it was, not long ago: keeping what nobody asks for again costs more than reading it. */
  function wasAskedFor(address: string): boolean {
    const hash = Bun.hash.crc32(address);
    const place = hash % asked.length;
    const isAgain = asked[place] === hash;
    asked[place] = hash;
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
    has: (address) => recent.has(address) || older.has(address),
    set(address, page) {
      if (page.body.length > RESPONSE_CACHE_BODY_BYTES_MAX || !wasAskedFor(address)) return;
      keep(address, page);
      count("kept");
    },
    get(request, requestId) {
      const page = find(request.url);
      if (page === undefined || page.version !== version()) return undefined;
      count("hit");
      page.headers ??= new Headers(page.lines);
      const headers = new Headers(page.headers);
      headers.set("X-Request-Id", requestId);
      return { response: respond(page, headers, request), operation: page.operation };
    },
  };
}

function respond({ body, lines }: CachedResponse, headers: Headers, request: Request): Response {
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch === null || !matchesEntityTag(ifNoneMatch, lines["ETag"] ?? ""))
    return new Response(body, { headers });
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}
