import { IDEMPOTENCY_KEY_PATTERN } from "../../contract/openapi/headers.ts";
import { ServiceError } from "../../errors.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../limits.ts";

/**
 * The key of an `Idempotency-Key` header, if a POST has one: a Structured Field string (RFC 8941 §3.3.3), or the
 * same without its quotes.
 *
 * @throws ServiceError `invalid_request`
 */
export function readIdempotencyKey({ method, headers }: Request): string | undefined {
  const header = headers.get("idempotency-key");
  if (header === null || method !== "POST") return undefined;
  if (!IDEMPOTENCY_KEY_PATTERN.test(header)) {
    throw new ServiceError(
      "invalid_request",
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters.`,
    );
  }
  return header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : header;
}
