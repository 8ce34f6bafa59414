import type { AccountActor, AnonymousActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { withoutTokens } from "../keys/token.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import { readTraceparent } from "../telemetry/traceparent.ts";

/** RFC 3986 §3.2: a name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

/** A request's connection, as the port knows it. */
export interface Connection {
  /** The address that it comes from. */
  readonly peer: () => string | undefined;
  /** Ends it within seconds; what its client has not taken is dropped. */
  readonly cutOff: () => void;
}

/** One request, and what the pipeline's steps have found out about it so far. */
export interface RequestContext extends Connection {
  readonly request: Request;
  /** GET for a HEAD request: the two differ only in whether the body is sent. */
  readonly method: string;
  readonly requestId: string;
  /** The path as the client wrote it, decoded where that is possible. */
  readonly path: string;
  /** The text behind the `?`, as the client wrote it. */
  readonly search: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The time by which operations are removed: `now`, or in staging that of the test clock. */
  readonly contractNow: number;
  /** Empty until the `Host` header has been checked. */
  addresses: RequestAddresses;
  operation?: Operation | undefined;
  actor?: AccountActor | AnonymousActor | undefined;
  /** The caller's, where it is valid. */
  readonly traceparent: string | undefined;
  /** The simulated part of this request. */
  simulated?: "error" | "delayed" | "lost" | undefined;
  /** Header lines that the response carries, whether it is a success or an error. */
  readonly headers: Record<string, string>;
}

/** Where this request's client finds the service. */
export interface RequestAddresses {
  /** `https://pets.example.com` */
  readonly origin: string;
  /** `https://pets.example.com/v1`, without a slash at the end. */
  readonly base: string;
}

const NO_ADDRESSES: RequestAddresses = { origin: "", base: "" };

/** Dependencies of request contexts. */
export interface RequestContextDeps {
  readonly clock: Clock;
  /** Of staging. */
  readonly testClock?: TestClock | undefined;
}

/** Milliseconds that the interface's own dates are ahead of the clock. */
export interface TestClock {
  readonly offsetMs: number;
}

export function createRequestContext(
  request: Request,
  { clock, testClock }: RequestContextDeps,
  nextRequestId: () => string,
  { peer, cutOff }: Connection,
): RequestContext {
  const { method, url } = request;
  const now = clock.now();
  const { path, search } = splitTarget(url);
  // The client's own where it is safe in a header and a log and holds no key.
  const given = request.headers.get("x-request-id");
  const isSafe = given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) && withoutTokens(given) === given;
  return {
    request,
    method: method === "HEAD" ? "GET" : method,
    requestId: isSafe ? given : nextRequestId(),
    path,
    search,
    now,
    contractNow: testClock === undefined ? now : now + testClock.offsetMs,
    peer,
    cutOff,
    addresses: NO_ADDRESSES,
    operation: undefined,
    actor: undefined,
    simulated: undefined,
    traceparent: readTraceparent(request.headers.get("traceparent")),
    headers: {},
  };
}

/**
 * The addresses of a request: those of `publicUrl`, or made from the `Host` header.
 *
 * @throws ServiceError (from the function returned) `invalid_request` when `Host` is not usable
 */
export function createAddresses(
  publicUrl: string | undefined,
  path: string,
): (request: Request) => RequestAddresses {
  let lastHost: string | undefined;
  let last = NO_ADDRESSES;
  return (request) => {
    const host = request.headers.get("host") ?? "";
    // Nearly all requests to a process have the same.
    if (host === lastHost) return last;
    // RFC 9110 §7.2: missing, given several times (the runtime joins them with commas), or as `1.2.3.999` no address.
    const [isHost, port = 0] = HOST.exec(host) ?? [];
    if (isHost === undefined || Number(port) > 65_535 || !URL.canParse(`http://${host}`))
      throw new ServiceError("invalid_request", "The Host header must name one host.");
    const origin = publicUrl === undefined ? `http://${host}` : new URL(publicUrl).origin;
    last = { origin, base: publicUrl ?? origin + path };
    lastHost = host;
    return last;
  };
}

/**
 * Path and query of a request's address, split by hand: where `Host` is unusable the runtime hands over the bare
 * target, on which `new URL` throws.
 */
export function splitTarget(address: string): { path: string; search: string } {
  const start = address.startsWith("/") ? 0 : address.indexOf("/", address.indexOf("://") + 3);
  if (start < 0) return { path: "", search: "" };
  const hash = address.indexOf("#", start);
  const target = address.slice(start, hash < 0 ? undefined : hash);
  const question = target.indexOf("?");
  if (question < 0) return { path: decodePath(target), search: "" };
  return { path: decodePath(target.slice(0, question)), search: target.slice(question + 1) };
}

/** `%2F` stays encoded, so that a segment stays one segment; a path that cannot be decoded stays as it is and names nothing. */
function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    // An encoded percent sign stays encoded here, because the router decodes parameters once more.
    return decodeURI(path.replaceAll("%25", "%2525"));
  } catch {
    return path;
  }
}

/** Identifiers that are unique over all processes: 96 random bits for the process, and a count. */
export function createRequestIds(randomBytes: RandomBytes): () => string {
  const process = Buffer.from(randomBytes(12)).toString("hex");
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
