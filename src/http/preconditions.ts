import { writeJson } from "../contract/json/json.ts";
import { ENTITY_TAGS_PATTERN } from "../contract/openapi/headers.ts";
import { ServiceError } from "../errors.ts";
import { entityTagOf, type ResponseData } from "./response.ts";

type ReadHeaders = Pick<Headers, "get">;

const ENTITY_TAG = /(?:W\/)?"[^"]*"|\*/g;

/**
 * Returns a function that checks a request's preconditions, or undefined if the request has none. The function takes the current
 * resource, checks `If-Match` and then `If-None-Match` (RFC 9110 §13.2.2), and throws `precondition_failed`.
 *
 * @throws ServiceError `invalid_request`
 */
export function preconditionsIn(headers: ReadHeaders): ((current: unknown) => void) | undefined {
  const ifMatch = readEntityTags(headers, "If-Match");
  const ifNoneMatch = readEntityTags(headers, "If-None-Match");
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return (current) => {
    const tag = entityTagOf(writeJson(current));
    if (ifMatch !== undefined) requireMatch(ifMatch, tag);
    if (ifNoneMatch === undefined || !hasWeakMatch(ifNoneMatch, tag)) return;
    throw new ServiceError(
      "precondition_failed",
      "If-None-Match lists the current version of the resource, so nothing was changed. Send the change without If-None-Match, or with the ETag of another version.",
    );
  };
}

/**
 * Checks that one of the tags equals the current tag. The comparison is strong, so a weak tag never matches (RFC 9110 §13.1.1).
 *
 * @throws ServiceError `precondition_failed`
 */
function requireMatch(tags: readonly string[], tag: string) {
  if (tags.includes("*") || tags.includes(tag)) return;
  throw new ServiceError(
    "precondition_failed",
    tags.includes(`W/${tag}`)
      ? "If-Match must contain the ETag without the W/ that a proxy may have added."
      : "The resource has changed since the version in If-Match. Read it again, then repeat the change.",
  );
}

/**
 * Parses a header that contains entity tags, or `*`, in a request that makes a change.
 *
 * @returns undefined if the header is absent
 * @throws ServiceError `invalid_request`
 */
function readEntityTags(headers: ReadHeaders, name: string): readonly string[] | undefined {
  const header = headers.get(name)?.trim();
  if (header === undefined) return undefined;
  if (ENTITY_TAGS_PATTERN.test(header)) return header.match(ENTITY_TAG) ?? [];
  throw new ServiceError(
    "invalid_request",
    `${name} must be * or entity tags in quotes, separated by commas.`,
  );
}

/** Replaces a response by a 304 if the client already has this representation (RFC 9110 §13.1.2). */
export function applyIfNoneMatch(response: ResponseData, request: Request): ResponseData {
  const tag = response.headers["ETag"];
  if (tag === undefined || !isUnchanged(request, tag)) return response;
  return { ...response, status: 304, body: null };
}

/** True if the header `If-None-Match` of a GET contains this entity tag. An invalid header is not refused. */
export function isUnchanged({ headers }: Request, tag: string): boolean {
  return hasWeakMatch(headers.get("if-none-match")?.match(ENTITY_TAG) ?? [], tag);
}

/** Compares entity tags weakly, so that `W/"a"` matches `"a"` (RFC 9110 §8.8.3.2). */
function hasWeakMatch(tags: readonly string[], tag: string): boolean {
  return tags.some((one) => one === "*" || one === tag || one === `W/${tag}`);
}
