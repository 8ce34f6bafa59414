import { parseJson, writeJson } from "../contract/json/json.ts";
import { fillPath, hasEntityTag, type Operation, type Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { InputValues } from "./endpoint.ts";
import { decodePercent } from "./parameters.ts";

/** The part of a request (`Call`) that the response needs. Using the type `Call` here would create a circular import. */
interface Answered {
  readonly request: Request;
  readonly method: string;
  readonly requestId: string;
  readonly path: string;
  readonly search: string;
  readonly now: number;
  readonly contractNow: number;
  readonly addresses: { readonly base: string };
  readonly headers: Record<string, string>;
  readonly operation: Operation | undefined;
  readonly values: InputValues;
}

/** A response without the headers that all responses have in common. */
export interface ResponseData<Body = string | null> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A body that is generated while it is sent. `begin` is not called for a HEAD request. */
export interface StreamBody {
  begin(): ReadableStream<Uint8Array>;
}

export type FileResponseData = ResponseData<string | Uint8Array<ArrayBuffer> | StreamBody | null>;

export type Responding = Maybe<FileResponseData>;

export function jsonResponse(value: unknown): ResponseData {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return { status: 200, headers, body: writeJson(value) };
}

/** Header of a response that contains a secret or data about one person (RFC 9111 §5.2.2.5). */
export const NO_STORE = { "Cache-Control": "no-store" } as const;

export function encodeResponse(
  operation: Operation,
  result: unknown,
  input: InputValues,
  { path, search, addresses: { base }, contractNow }: Answered,
): ResponseData {
  const { status, paged, locationLater } = operation.success;
  if (status === 204 || status === 303) return { status, headers: {}, body: null };
  const { items, next } = paged ? (result as Page<unknown>) : { items: result, next: undefined };
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (next !== undefined) headers["Link"] = nextLink(base + pathOf(operation, path), search, next);
  const isLater = locationLater !== undefined && contractNow >= locationLater.from;
  const location = isLater ? locationLater.location : operation.success.location;
  if (location !== undefined) headers["Location"] = base + fillPath(location, Object(result), input);
  return { status, headers, body: writeJson(items) };
}

/**
 * Returns the path of a request relative to the base address. A proxy may have changed the base address, so the function counts
 * from the end: it returns as many of the last segments as the operation's path has.
 */
function pathOf({ path: template }: Operation, requested: string): string {
  if (!template.includes("{")) return template;
  const depth = template.split("/").length - 1;
  return `/${requested.split("/").slice(-depth).join("/")}`;
}

/** Creates the `Link` value for the next page (RFC 8288). The link repeats the request's query, but with the next cursor. */
function nextLink(list: string, search: string, cursor: string): string {
  return `<${list}?${filtersOf(search)}cursor=${cursor}>; rel="next"`;
}

/** Removes the cursor from a query. Unless the result is empty, it ends with `&`, so that another parameter can follow. */
function filtersOf(search: string): string {
  if (search === "") return "";
  // Most queries can be used unchanged. The others contain a cursor or an empty pair, which must be removed, or an encoded name,
  // which may be `cursor`.
  if (!/%|cursor=|&&|^&|&$/.test(search)) return `${search}&`;
  // The query has already been parsed, so decoding it cannot fail.
  const isFilter = (pair: string) => pair !== "" && !decodePercent(pair)?.startsWith("cursor=");
  return search
    .split("&")
    .filter(isFilter)
    .map((pair) => `${pair}&`)
    .join("");
}

/** Makes an entity tag from a hash of the representation's bytes (RFC 9110 §8.8.3). */
export function entityTagOf(body: string): string {
  // 64 bits are enough to tell the versions of a resource apart. Nothing depends on the hash being unforgeable.
  return `"${Bun.hash.xxHash3(body).toString(36)}"`;
}

/** Adds the entity tag and the caching headers to the response to a GET. Clients may store the response, but must revalidate it. */
export function withEntityTag(response: ResponseData, { operation, values }: Answered): ResponseData {
  const { status, body } = response;
  if (body === null) return response;
  const isItem = body !== "[]" && asksForOneItem(operation, values);
  const headers = {
    ...response.headers,
    // If a request for a list names exactly one item, the response has the entity tag of that item. A client can then send the
    // tag in `If-Match` to change the item.
    ETag: entityTagOf(isItem ? body.slice(1, -1) : body),
    "Cache-Control": "private, no-cache",
    Vary: "Authorization, Accept, Origin",
  };
  return { status, headers, body };
}

function asksForOneItem(operation: Operation | undefined, values: InputValues): boolean {
  const items = operation?.success.itemParameters?.map((name) => values[name]).find(Boolean);
  if (!Array.isArray(items) || items.length !== 1) return false;
  return Object.values(values).every((value) => value === undefined || value === items);
}

/**
 * Adds an entity tag to the response to a change, even if the response is replayed. A later GET of the resource returns the same
 * tag.
 */
export function withTagOfChange(operation: Operation, response: ResponseData): ResponseData {
  const { headers, body } = response;
  if (body === null || !hasEntityTag(operation)) return response;
  const { secret } = operation.success;
  // A later GET returns the resource without its secret, so the entity tag is computed without the secret too.
  const shown = secret === undefined ? body : writeJson({ ...Object(parseJson(body)), [secret]: undefined });
  return { ...response, headers: { ...headers, ETag: entityTagOf(shown) } };
}

type Lines = Readonly<Record<string, string>>;

/**
 * Creates a function that makes the runtime's `Headers` for the responses of a path. The function reuses one `Headers` object for
 * each HTTP method, and sets only the headers that have changed. This is safe, because the runtime copies the object into each
 * response.
 *
 * @param constant the headers that every response has
 */
export function keepLines(constant: Lines) {
  const start = (): { headers: Headers; lines: Lines } => ({ headers: new Headers(constant), lines: {} });
  const byMethod: Record<string, ReturnType<typeof start>> = {};
  return (method: string, lines: Lines): Headers => {
    let kept = byMethod[method] ?? start();
    for (const name in kept.lines) if (lines[name] === undefined) kept = start();
    byMethod[method] = kept;
    for (const name in lines) if (lines[name] !== kept.lines[name]) kept.headers.set(name, lines[name] ?? "");
    kept.lines = lines;
    return kept.headers;
  };
}

export type KeptLines = ReturnType<typeof keepLines>;

export function createResponse(
  { status, headers, body }: FileResponseData,
  { request, method, requestId, now, headers: lines }: Answered,
  keptLines: KeptLines,
): Response {
  // If the pipeline and the response set the same header, the pipeline's value wins, except that `Link` values are joined.
  for (const name in headers) {
    const isJoined = name === "Link" && lines[name] !== undefined;
    lines[name] = isJoined ? `${headers[name]}, ${lines[name]}` : (lines[name] ?? headers[name] ?? "");
  }
  lines["X-Request-Id"] = requestId;
  const isHead = request.method === "HEAD";
  const sent = isHead || body === null ? null : isStream(body) ? body.begin() : body;
  const response = new Response(sent, { status, headers: keptLines(method, lines) });
  if (body === null) response.headers.delete("Content-Type");
  else if (isHead) {
    // Bun adds `Transfer-Encoding` and `Content-Length` only to a response with a body. For a response to HEAD, they are set here.
    if (isStream(body)) response.headers.set("Transfer-Encoding", "chunked");
    else response.headers.set("Content-Length", String(Buffer.byteLength(body)));
    response.headers.set("Date", new Date(now).toUTCString());
  }
  return response;
}

export function isStream(body: NonNullable<FileResponseData["body"]>): body is StreamBody {
  return typeof body === "object" && "begin" in body;
}
