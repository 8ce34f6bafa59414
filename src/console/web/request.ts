import type { Int64 } from "exact-json/int64";
import { readJson } from "exact-json/read-json";
import { writeJson } from "exact-json/write-json";
import { networkError, RequestError, readErrorResponse } from "./request-error.ts";

const BASE = "/console/api";
const ACCEPT = "application/problem+json, application/json;q=0.5";
/** Above the server's own deadlines, so that a slow request ends with the server's explanation. */
const REQUEST_TIMEOUT_MS = 30_000;

export type Query = Readonly<Record<string, string | undefined>>;

interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The tag of the version that a change is for. */
  readonly ifMatch?: string;
  /** The request goes on when the page is left. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called for a 2xx response. */
  readonly onResponse?: (headers: Headers) => void;
}

/** What has happened to a page since it was loaded. */
export interface PageNews {
  /** Items that are not in the list any more. */
  readonly gone: ReadonlySet<Int64>;
  /** `3 new animals`; empty for none. */
  readonly added: string;
}

/** A page of a list; `next` is the cursor of the one after it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  /** Undefined until something has changed. */
  readonly news?: PageNews;
}

/** A resource as it was read; `etag` is the tag of that version. */
export type Versioned<Resource> = Resource & { readonly etag: string };

let signedOutListener = (): void => undefined;

/** The listener is called when the server refuses the session. */
export function setSignedOutListener(listener: () => void): void {
  signedOutListener = listener;
}

/**
 * Calls the console's API. Every integer of the response is exact.
 *
 * The type of the body is not checked here: the server holds it to the contract.
 *
 * @throws RequestError without a 2xx response
 */
export async function call<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
  const response = await send(method, path, options);
  return (await readBody(response)) as Body;
}

/** `call` for one page of a list (RFC 8288 `Link`). */
export async function callPage<Item>(path: string, options: RequestOptions = {}): Promise<Page<Item>> {
  const response = await send("GET", path, options);
  const items = (await readBody(response)) as readonly Item[];
  return { items, next: nextCursor(response.headers.get("Link")) };
}

/** `call` for a request that answers with one resource: its tag comes with it. */
export async function callVersioned<Resource>(
  path: string,
  method = "GET",
  options: RequestOptions = {},
): Promise<Versioned<Resource>> {
  const response = await send(method, path, options);
  const etag = response.headers.get("ETag") ?? "";
  return { ...((await readBody(response)) as Resource), etag };
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const response = await fetch(urlFor(path, options.query), {
    method,
    keepalive: options.keepalive ?? false,
    headers: headersFor(options),
    signal: AbortSignal.any([
      AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(options.signal ? [options.signal] : []),
    ]),
    ...(options.body !== undefined && { body: writeJson(options.body) }),
  }).catch((error: unknown) => {
    throw options.signal?.aborted ? error : networkError();
  });
  if (response.ok) {
    options.onResponse?.(response.headers);
    return response;
  }
  const error = await readErrorResponse(response, readJson);
  const isSignIn = method === "POST" && path === "/session";
  if (error.status === 401 && !isSignIn) signedOutListener();
  throw error;
}

function headersFor({ body, idempotencyKey, ifMatch }: RequestOptions): Record<string, string> {
  return {
    Accept: ACCEPT,
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    ...(ifMatch !== undefined && { "If-Match": ifMatch }),
  };
}

function urlFor(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  return search.size === 0 ? BASE + path : `${BASE}${path}?${search}`;
}

async function readBody(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === "" ? undefined : readJson(text);
  } catch {
    throw new RequestError("The server's response was incomplete or unreadable. Try again.", { status: 0 });
  }
}

function nextCursor(link: string | null): string | undefined {
  const [, url] = /<([^>]*)>;\s*rel="next"/.exec(link ?? "") ?? [];
  if (url === undefined) return undefined;
  return new URL(url, location.origin).searchParams.get("cursor") ?? undefined;
}
