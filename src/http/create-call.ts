import { ServiceError } from "../errors.ts";
import { withoutTokens } from "../keys/token.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import { readTraceparent } from "../telemetry/traceparent.ts";
import type { Call, Connection, Pipeline, RequestAddresses } from "./call.ts";
import type { TestClock } from "./idempotency/elapsed-time.ts";

/** Pattern of a valid `Host` header (RFC 3986 §3.2): a name, an IPv4 address or a bracketed IPv6 address, and an optional port. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

const NO_ADDRESSES: RequestAddresses = { origin: "", base: "" };
const NO_TEXTS: readonly string[] = [];
const NO_VALUES: Record<string, unknown> = {};

export interface CallDeps {
  readonly clock: Clock;
  /** Staging's test clock; absent in production. */
  readonly testClock?: TestClock | undefined;
}

export function createCall(
  request: Request,
  { clock, testClock }: CallDeps,
  nextRequestId: () => string,
  { peer, cutOff }: Connection,
  pipeline: Pipeline,
): Call {
  const { method, url } = request;
  const now = clock.now();
  const { path, search, sent } = splitTarget(url);
  // The request id that the client sent is used only if it consists of characters that are safe in headers and logs, and does not
  // contain an API key.
  const given = request.headers.get("x-request-id");
  const isSafe = given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) && withoutTokens(given) === given;
  return {
    request,
    method: method === "HEAD" ? "GET" : method,
    requestId: isSafe ? given : nextRequestId(),
    path,
    search,
    sent,
    now,
    contractNow: testClock === undefined ? now : now + testClock.offsetMs,
    traceparent: readTraceparent(request.headers.get("traceparent")),
    headers: {},
    peer,
    cutOff,
    addresses: NO_ADDRESSES,
    pipeline,
    route: undefined,
    pathTexts: NO_TEXTS,
    endpoint: undefined,
    operation: undefined,
    actor: undefined,
    charge: undefined,
    version: undefined,
    values: NO_VALUES,
    simulated: undefined,
    errorCode: undefined,
    hasSlot: false,
  };
}

/**
 * Creates a function that returns the service's addresses for a request. They are made from `publicUrl` or, if that is undefined,
 * from the `Host` header.
 *
 * @throws ServiceError (when the returned function is called) `invalid_request` if the `Host` header cannot be used
 */
export function createAddresses(
  publicUrl: string | undefined,
  path: string,
): (request: Request) => RequestAddresses {
  let lastHost: string | undefined;
  let last = NO_ADDRESSES;
  return (request) => {
    const host = request.headers.get("host") ?? "";
    // The addresses for the most recent host are cached, because nearly all requests to a process have the same `Host` header.
    if (host === lastHost) return last;
    // RFC 9110 §7.2 requires the service to refuse a request whose `Host` is missing, repeated (the runtime joins the values with
    // commas) or invalid, such as `1.2.3.999`.
    const [isHost, port = 0] = HOST.exec(host) ?? [];
    if (isHost === undefined || Number(port) > 65_535 || !URL.canParse(`http://${host}`))
      throw new ServiceError("invalid_request", "The Host header must name one host.");
    const origin = publicUrl === undefined ? `http://${host}` : new URL(publicUrl).origin;
    last = {
      origin,
      base: publicUrl ?? origin + path,
      made: { deprecations: new Map(), refusals: new Map() },
    };
    lastHost = host;
    return last;
  };
}

/**
 * Splits an address into path and query. `new URL` is not used, because it throws if the address consists only of a path. The
 * runtime passes such an address if the request has an unusable `Host`.
 */
export function splitTarget(address: string): { path: string; search: string; sent: string } {
  const start = address.startsWith("/") ? 0 : address.indexOf("/", address.indexOf("://") + 3);
  if (start < 0) return { path: "", search: "", sent: "" };
  const hash = address.indexOf("#", start);
  const sent = address.slice(start, hash < 0 ? undefined : hash);
  const question = sent.indexOf("?");
  if (question < 0) return { path: decodePath(sent), search: "", sent };
  return { path: decodePath(sent.slice(0, question)), search: sent.slice(question + 1), sent };
}

/**
 * Decodes a path, except `%2F`, because decoding that would split a segment in two. A path that cannot be decoded is returned
 * unchanged, and then matches no route.
 */
function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    // An encoded percent sign stays encoded, because the router will decode path parameters once more.
    return decodeURI(path.replaceAll("%25", "%2525"));
  } catch {
    return path;
  }
}

/**
 * Creates request identifiers that are unique across processes. Each consists of 96 random bits, chosen once for the process, and a
 * counter.
 */
export function createRequestIds(randomBytes: RandomBytes): () => string {
  const process = Buffer.from(randomBytes(12)).toString("hex");
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
