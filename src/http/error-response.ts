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

const repeated = new WeakMap<ServiceError, ResponseData>();

/** For an error that is thrown again and again: its JSON is encoded once. */
export function encodeOnce(error: ServiceError): ServiceError {
  repeated.set(error, { ...encodeJson(error), assembled: {} });
  return error;
}

/** The API's `Error`, or RFC 9457 Problem Details where the client ranks that above JSON. */
export function encodeError(error: ServiceError, request: Request, origin: string): ResponseData {
  if (!ranksAboveJson(request.headers.get("accept"), "application/problem+json"))
    return repeated.get(error) ?? encodeJson(error);
  const { code, status, problems } = error;
  const problem = {
    type: `${origin}/docs/errors#${code}`,
    title: STATUS_CODES[status],
    status,
    detail: publicMessage(error),
    code,
    errors: problems.length === 0 ? undefined : problems,
  };
  return { status, headers: headersOf(error, "application/problem+json"), body: writeJson(problem) };
}

function encodeJson(error: ServiceError): ResponseData {
  const { code, status } = error;
  const body = writeJson({ code, message: publicMessage(error), status });
  return { status, headers: headersOf(error, "application/json"), body };
}

function headersOf({ headers }: ServiceError, type: string): Readonly<Record<string, string>> {
  return { ...headers, "Cache-Control": "no-store", Vary: "Accept", "Content-Type": type };
}

/** The message of a 404 quotes the path, and a key may have been pasted into it. */
function publicMessage({ message }: ServiceError): string {
  return withoutTokens(message);
}
