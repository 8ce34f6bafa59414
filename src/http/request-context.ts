import type { Actor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { withoutTokens } from "../keys/token.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { DataVersion } from "../storage/database.ts";
import type { RequestTrace } from "../telemetry/tracing/tracer.ts";
import type { BaseAddress } from "./response.ts";

/** One request on its way through the pipeline, and what has been learned of it so far. */
export interface RequestContext {
  readonly request: Request;
  /** GET for a HEAD request: the two differ only in whether the body is sent. */
  readonly method: string;
  readonly requestId: string;
  /** The path as the client wrote it, decoded where that is possible. */
  readonly path: string;
  /** What follows the `?`, as the client wrote it. */
  readonly search: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The address that the connection comes from, as the port sees it. */
  readonly peer: () => string | undefined;
  operation?: Operation | undefined;
  actor?: Actor | undefined;
  /** Absent when nobody follows this request. */
  readonly trace: RequestTrace | undefined;
  /** The version of the data that the answer is read from, where it may be kept for others who ask the same. */
  version?: DataVersion | undefined;
  /** Header lines that the answer carries whatever it turns out to be. */
  readonly headers: Record<string, string>;
}

/** Where this request's client finds the service. */
export interface Addresses {
  /** `https://pets.example.com` */
  readonly origin: string;
  readonly base: BaseAddress;
}

export function createRequestContext(
  request: Request,
  now: number,
  nextRequestId: () => string,
  peer: () => string | undefined,
  trace: RequestTrace | undefined,
): RequestContext {
  const { path, search } = cutTarget(request.url);
  return {
    request,
    method: request.method === "HEAD" ? "GET" : request.method,
    requestId: requestIdOf(request, nextRequestId),
    path,
    search,
    now,
    peer,
    trace,
    headers: {},
  };
}

/**
 * Path and query of a request's address, cut by hand: `new URL` throws on an odd `Host`, and the runtime hands over
 * the bare target then.
 */
function cutTarget(address: string): { path: string; search: string } {
  const start = address.startsWith("/") ? 0 : address.indexOf("/", address.indexOf("://") + 3);
  if (start < 0) return { path: "", search: "" };
  const [target = ""] = address.slice(start).split("#", 1);
  const question = target.indexOf("?");
  if (question < 0) return { path: decodePath(target), search: "" };
  return { path: decodePath(target.slice(0, question)), search: target.slice(question + 1) };
}

/** `%2F` stays encoded, so that a segment stays one segment; what cannot be decoded stays as it is and names nothing. */
function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    // An encoded percent sign stays encoded here, because the router decodes parameters once more.
    return decodeURI(path.replaceAll("%25", "%2525"));
  } catch {
    return path;
  }
}

/** The client's own identifier when it is fit for a header and a log, where no key belongs, or a new one. */
export function requestIdOf(request: Request, nextRequestId: () => string): string {
  const own = request.headers.get("x-request-id");
  const isFit = own !== null && /^[A-Za-z0-9._-]{1,64}$/.test(own) && withoutTokens(own) === own;
  return isFit ? own : nextRequestId();
}

/** Identifiers that no other process, and no other request of this one, is given. */
export function createRequestIds(randomBytes: RandomBytes): () => string {
  const process = Buffer.from(randomBytes(12)).toString("hex");
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
