import { writeJson } from "../contract/json/json.ts";
import type { Operation, Page } from "../contract/operation.ts";

/** What a request comes to, before the lines that every answer carries are added. */
export interface ResponseData<Body = string | null> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** An answer that may be a file, not only text. */
export type FileResponseData = ResponseData<string | Uint8Array<ArrayBuffer> | null>;

/** Where the clients of a service find it: `https://pets.example.com/v1`, no slash at the end. */
export type BaseAddress = string;

/** A document of our own, open to everyone. */
export function jsonResponse(value: unknown): ResponseData {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return { status: 200, headers, body: writeJson(value) };
}

/**
 * The answer for what an operation's verb returned.
 *
 * @param search the request's own query, which the next page's address repeats
 */
export function encodeResponse(
  operation: Operation,
  result: unknown,
  search: string,
  base: BaseAddress,
): ResponseData {
  const { status, paged, location } = operation.success;
  if (status === 204) return { status, headers: {}, body: null };
  const page = paged ? (result as Page<unknown>) : undefined;
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (page?.next !== undefined) headers["Link"] = nextLink(base + operation.path, search, page.next);
  if (location !== undefined)
    headers["Location"] = base + location.replace("{id}", String((result as { id: unknown }).id));
  return { status, headers, body: writeJson(page === undefined ? result : page.items) };
}

/** RFC 8288: the same query, with the cursor that goes on from here. */
function nextLink(list: string, search: string, cursor: string): string {
  const filters = search.split("&").filter((pair) => pair !== "" && nameOf(pair) !== "cursor");
  return `<${list}?${[...filters, `cursor=${cursor}`].join("&")}>; rel="next"`;
}

/** The query has been read already, so its names can be decoded. */
function nameOf(pair: string): string {
  return decodeURIComponent(pair.split("=", 1)[0] ?? "");
}

/**
 * Names the representation by its bytes alone (RFC 9110 §8.8.3), and answers 304 where the client has it already.
 */
export function withEntityTag(answer: ResponseData, request: Request): ResponseData {
  if (answer.body === null) return answer;
  // Nobody's trust depends on it: it tells one representation from the next, which 64 bits do.
  const tag = `"${Bun.hash.xxHash3(answer.body).toString(36)}"`;
  const headers = {
    ...answer.headers,
    ETag: tag,
    "Cache-Control": "private, no-cache",
    Vary: "Authorization, Accept, Origin",
  };
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch === null || !matchesEntityTag(ifNoneMatch, tag)) return { ...answer, headers };
  const { "Content-Type": _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, body: null };
}

/** Weak comparison (RFC 9110 §13.1.2). */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(",").some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === "*" || trimmed === tag || trimmed === `W/${tag}`;
  });
}
