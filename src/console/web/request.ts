import type { Int64 } from "exact-json/int64";
import type { Answer } from "../../../client/src/hooks.ts";
import { findLink } from "../../../client/src/link.ts";
import type { ChangeOptions, Fetch } from "../../../client/src/options.ts";
import { callWithinDeadline, type RequestSettings } from "../../../client/src/request.ts";
import { PET_LINES_MAX } from "../../pet-files/limits.ts";
import { pageErrorOf, toPetstoreError } from "./request-error.ts";

const BASE = "/console/api";

export type Query = Readonly<Record<string, string | undefined>>;
type Method = Parameters<typeof callWithinDeadline>[1]["method"];

interface RequestOptions extends ChangeOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** True if the request must continue after the person has left the page. */
  readonly keepalive?: boolean;
  /** True if this request is one of many changes to animals or orders. Such changes are sent together in shared requests. */
  readonly isLine?: boolean;
}

export interface PageNews {
  readonly gone: ReadonlySet<Int64>;
  /** The number of new items in words, such as `3 new animals`; an empty string if there are none. */
  readonly added: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  readonly news?: PageNews;
}

/** A resource, with the entity tag of the version that was read. */
export type Versioned<Resource> = Resource & { readonly etag: string };

let signedOutListener = (): void => undefined;

/** Sets the function that is called after a 401 response, which means that the session has ended. */
export function setSignedOutListener(listener: () => void): void {
  signedOutListener = listener;
}

function onAnswer({ status, request: { method, address } }: Answer): void {
  const isSignIn = method === "POST" && address.endsWith(`${BASE}/session`);
  if (status === 401 && !isSignIn) signedOutListener();
}

const SETTINGS: RequestSettings = {
  authorization: undefined,
  // The timeout of a request is longer than the server's deadlines, so that a slow request ends with the error that the server
  // sends.
  timeoutMs: 30_000,
  // Requests are not retried automatically. The person sees the failure and decides.
  retries: 0,
  headers: {},
  hooks: { onRequest: undefined, onAnswer, onRetry: undefined },
  fetch: undefined,
  toError: pageErrorOf,
};
const OF_A_PAGE_THAT_IS_LEFT: RequestSettings = {
  ...SETTINGS,
  fetch: (address, init) => fetch(address, { ...init, keepalive: true }),
};

let lineSender: Promise<Fetch> | undefined;
/**
 * Settings for requests that contain many changes. The code for them is loaded only with the first import or bulk change, because
 * nothing else needs it.
 */
const OF_A_LINE: RequestSettings = {
  ...SETTINGS,
  async fetch(address, init) {
    lineSender ??= import("./send-lines.ts").then(({ createLineSender }) => createLineSender(BASE));
    return (await lineSender)(address, init);
  },
};

/**
 * The maximum number of concurrent requests. A browser opens only 6 connections to a server without TLS, and the event stream
 * uses one of them.
 */
export const REQUESTS_MAX = 4;
/**
 * The maximum number of changes that are in progress at the same time: those in the current request and those in the next one.
 */
export const LINES_IN_FLIGHT = 2 * PET_LINES_MAX;
/**
 * Options for background work. The requests are retried for longer than the server needs to restart, and for longer than the
 * window of a rate limit.
 */
export const PATIENT = { retries: 5, timeoutMs: 150_000 } as const;
export const AS_LINE = { ...PATIENT, isLine: true } as const;

/**
 * Calls the console's API through the client. All integers in the response are exact.
 *
 * The compiler does not check the type of the request body, because the server validates the body anyway.
 *
 * @throws PetstoreError, or the abort reason of the signal
 */
export async function call<Body>(method: Method, path: string, options?: RequestOptions): Promise<Body> {
  return (await send(method, path, options)).value as Body;
}

/**
 * Deletes something. The result is the same if it is already gone: an earlier attempt, another window or somebody else has
 * deleted it.
 */
export async function callDelete(path: string, options?: RequestOptions): Promise<void> {
  await send("DELETE", path, options).catch((error) => {
    if (toPetstoreError(error).status !== 404) throw error;
  });
}

/** Requests one page of a list from the console's API, with its next cursor (RFC 8288 `Link`). */
export async function callPage<Item>(path: string, options?: RequestOptions): Promise<Page<Item>> {
  const { value, link } = await send("GET", path, options);
  const next = findLink(link ?? "", "next");
  const cursor = next && new URL(next, location.origin).searchParams.get("cursor");
  return { items: value as readonly Item[], next: cursor || undefined };
}

/** Reads or changes one resource through the console's API, and returns it with its entity tag. */
export async function callVersioned<Resource>(
  path: string,
  method: Method = "GET",
  options?: RequestOptions,
): Promise<Versioned<Resource>> {
  const { value, etag } = await send(method, path, options);
  return { ...(value as Resource), etag: etag ?? "" };
}

function send(method: Method, path: string, options: RequestOptions = {}) {
  const { query, body, keepalive, isLine, ...call } = options;
  const settings = keepalive ? OF_A_PAGE_THAT_IS_LEFT : isLine ? OF_A_LINE : SETTINGS;
  return callWithinDeadline(
    settings,
    { method, address: addressOf(path, query), body, expects: "any" },
    call,
  );
}

function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  return search.size === 0 ? BASE + path : `${BASE}${path}?${search}`;
}
