import { writeJson } from "../contract/json/json.ts";
import { IF_MATCH_PATTERN } from "../contract/openapi/headers.ts";
import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import { entityTagOf } from "./response.ts";

/**
 * Compares a header with the resource, which it reads inside the transaction that changes it.
 *
 * @throws ServiceError `precondition_failed`, and what reading throws
 */
export type Precondition = (readCurrent: () => Maybe<unknown>) => Promise<void>;

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/**
 * The condition of an `If-Match` header. The comparison is strong: a weak tag matches nothing (RFC 9110 §13.1.1).
 *
 * @throws ServiceError `invalid_request`
 */
export function readIfMatch({ headers }: Request): Precondition | undefined {
  const header = headers.get("if-match")?.trim();
  if (header === undefined) return undefined;
  if (!IF_MATCH_PATTERN.test(header)) {
    throw new ServiceError(
      "invalid_request",
      "If-Match must be * or entity tags in quotes, separated by commas.",
    );
  }
  const tags: readonly string[] = header.match(ENTITY_TAG) ?? [];
  return async (readCurrent) => {
    const tag = entityTagOf(writeJson(await readCurrent()));
    if (header === "*" || tags.includes(tag)) return;
    throw new ServiceError(
      "precondition_failed",
      tags.includes(`W/${tag}`)
        ? "If-Match compares strongly: send the ETag without W/, which a proxy may have added."
        : "The resource has changed since the version that If-Match names. Read it again, then repeat the change.",
    );
  };
}
