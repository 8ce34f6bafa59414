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

interface Encoded {
  readonly origin: string;
  readonly response: ResponseData;
}

/** The last response with each error: nearly all clients use the same address. */
const repeated = new WeakMap<ServiceError, Partial<Encoded>>();

/** For an error that is thrown again and again: it is encoded once for an address. */
export function encodeOnce(error: ServiceError): ServiceError {
  repeated.set(error, {});
  return error;
}

function encodeRepeated(error: ServiceError, origin: string): ResponseData {
  const last = repeated.get(error);
  if (last === undefined) return encodeJson(error, origin);
  if (last.response !== undefined && last.origin === origin) return last.response;
  const response = { ...encodeJson(error, origin), assembled: {} };
  repeated.set(error, { origin, response });
  return response;
}

/** The API's `Error`, or RFC 9457 Problem Details where the client ranks that above JSON. */
export function encodeError(error: ServiceError, request: Request, origin: string): ResponseData {
  if (!ranksAboveJson(request.headers.get("accept"), "application/problem+json"))
    return encodeRepeated(error, origin);
  const { code, status, problems } = error;
  const problem = {
    type: descriptionOf(error, origin),
    title: STATUS_CODES[status],
    status,
    detail: publicMessage(error),
    code,
    errors: problems.length === 0 ? undefined : problems,
  };
  return { status, headers: headersOf(error, origin, "application/problem+json"), body: writeJson(problem) };
}

function encodeJson(error: ServiceError, origin: string): ResponseData {
  const { code, status } = error;
  const body = writeJson({ code, message: publicMessage(error), status });
  return { status, headers: headersOf(error, origin, "application/json"), body };
}

/** The page that says when the error occurs and what to do; without a usable `Host`, relative to the request. */
function descriptionOf({ code }: ServiceError, origin: string): string {
  return `${origin}/docs/errors#${code}`;
}

function headersOf(error: ServiceError, origin: string, type: string): Readonly<Record<string, string>> {
  return {
    ...error.headers,
    Link: `<${descriptionOf(error, origin)}>; rel="describedby"; type="text/html"`,
    "Cache-Control": "no-store",
    Vary: "Accept",
    "Content-Type": type,
  };
}

/** The message of a 404 quotes the path, and a key may have been pasted into it. */
function publicMessage({ message }: ServiceError): string {
  return withoutTokens(message);
}
