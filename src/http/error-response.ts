import { STATUS_CODES } from "node:http";
import { writeJson } from "../contract/json/json.ts";
import { ServiceError } from "../errors.ts";
import { withoutTokens } from "../keys/token.ts";
import { ranksAboveJson } from "./accept.ts";
import { REUSED_ERRORS } from "./api-key-authenticator.ts";
import type { Call } from "./call.ts";
import type { ResponseData } from "./response.ts";

/** The response to an unexpected error. The error's own message is only logged, because it may reveal internals. */
const INTERNAL = new ServiceError(
  "internal_error",
  "An unexpected error occurred. The service's log contains the error, with the X-Request-Id of this request.",
);

/** Converts any thrown value to the error that the client gets. Everything except a `ServiceError` becomes `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : INTERNAL;
}

const PROBLEM = "application/problem+json";

/**
 * Encodes an error as the API's `Error`, or as Problem Details (RFC 9457) if the client's `Accept` header prefers them. If an HTML
 * form sent the request, redirects instead to a page that explains the error.
 */
export function encodeError(
  error: ServiceError,
  { request, addresses, endpoint }: Pick<Call, "request" | "addresses" | "endpoint">,
): ResponseData {
  if (endpoint?.refusalPage !== undefined && error.status < 500)
    return {
      status: 303,
      headers: { Location: endpoint.refusalPage, "Cache-Control": "no-store" },
      body: null,
    };
  const { origin, made } = addresses;
  if (ranksAboveJson(request.headers.get("accept"), PROBLEM)) return encode(error, origin, PROBLEM);
  const encoded = made?.refusals.get(error) ?? encode(error, origin, "application/json");
  if (REUSED_ERRORS.has(error)) made?.refusals.set(error, encoded);
  return encoded;
}

function encode(error: ServiceError, origin: string, type: string): ResponseData {
  const { code, status, problems } = error;
  // The address at which the error code is documented. It is relative if the request has no usable `Host` header.
  const description = `${origin}/docs/errors#${code}`;
  // API keys are redacted, because the message of a 404 quotes the path, and somebody may have pasted a key into the path.
  const message = withoutTokens(error.message);
  const errors = problems.length === 0 ? undefined : problems;
  const title = STATUS_CODES[status];
  const body =
    type === PROBLEM
      ? { type: description, title, status, detail: message, code, errors }
      : { code, message, status };
  const headers = {
    ...error.headers,
    Link: `<${description}>; rel="describedby"; type="text/html"`,
    "Cache-Control": "no-store",
    Vary: "Accept",
    "Content-Type": type,
  };
  return { status, headers, body: writeJson(body) };
}
