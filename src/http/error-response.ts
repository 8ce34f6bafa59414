import { STATUS_CODES } from "node:http";
import { writeJson } from "../contract/json/json.ts";
import { ServiceError } from "../errors.ts";
import { withoutTokens } from "../keys/token.ts";
import { ranksAboveJson } from "./accept.ts";
import type { ResponseData } from "./response.ts";

/** A fault's own message may hold internals: the log has it, the client does not. */
const INTERNAL = new ServiceError(
  "internal_error",
  "Something went wrong on our side. The request id names it in our log.",
);

/** The error that the client sees: a fault that is not a `ServiceError` becomes `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : INTERNAL;
}

/** The API's `Error`, or RFC 9457 Problem Details where the client ranks that above JSON. */
export function encodeError(error: ServiceError, request: Request, origin: string): ResponseData {
  const { code, status, problems } = error;
  // The message of a 404 quotes the path, and a key may have been pasted into it.
  const message = withoutTokens(error.message);
  const headers = { ...error.headers, "Cache-Control": "no-store", Vary: "Accept" };
  if (!ranksAboveJson(request.headers.get("accept"), "application/problem+json")) {
    return {
      status,
      headers: { ...headers, "Content-Type": "application/json" },
      body: writeJson({ code, message, status }),
    };
  }
  const problem = {
    type: `${origin}/docs/errors#${code}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    errors: problems.length === 0 ? undefined : problems,
  };
  return {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
    body: writeJson(problem),
  };
}
