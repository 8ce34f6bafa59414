import { RATE_LIMITED_SECONDS } from "../../contract/error-catalog.ts";
import { SIMULATE_PATTERN } from "../../contract/openapi/headers.ts";
import { errorExample, errorsOf } from "../../contract/openapi/responses.ts";
import type { Operation } from "../../contract/operation.ts";
import { type ErrorCode, ServiceError } from "../../errors.ts";
import { SIMULATED_DELAY_MS_MAX, SIMULATED_TIMES_MAX } from "../../limits.ts";
import { INVALID_KEY } from "../api-key-authenticator.ts";
import { acceptHeaders, CLOSE } from "../body.ts";
import { FORBIDDEN_HEADERS } from "../require-access.ts";

/** What a `Petstore-Simulate` header asks for. */
type Simulation = (
  | { readonly error: ErrorCode }
  | { readonly delayMs: number }
  | { readonly loseAnswer: true }
) & {
  /** The number of requests with this header that are simulated; undefined for all. */
  readonly times: number | undefined;
};

/** @throws ServiceError `invalid_request`, which says what the operation takes */
export function readSimulation(header: string, operation: Operation): Simulation {
  const [found, word, delay, count] = SIMULATE_PATTERN.exec(header) ?? [];
  const codes = errorsOf(operation);
  const times = count === undefined ? undefined : Number(count);
  const isCounted = times === undefined || (times >= 1 && times <= SIMULATED_TIMES_MAX);
  if (found !== undefined && isCounted) {
    const error = codes.find((code) => code === word);
    if (error !== undefined) return { error, times };
    if (delay !== undefined && Number(delay) <= SIMULATED_DELAY_MS_MAX)
      return { delayMs: Number(delay), times };
    if (word === undefined && delay === undefined) return { loseAnswer: true, times };
  }
  throw new ServiceError(
    "invalid_request",
    `Petstore-Simulate must be one of ${codes.join(", ")}, delay=MS (0 to ${SIMULATED_DELAY_MS_MAX}) and lose-answer, ` +
      `optionally followed by ; times=N (1 to ${SIMULATED_TIMES_MAX}).`,
  );
}

/** The error that the document has as its example, with the header lines of the real one. */
export function simulatedError(operation: Operation, code: ErrorCode): ServiceError {
  const { message, problems = [] } = errorExample(operation, code);
  return new ServiceError(code, message, { headers: headersOf(operation, code), problems });
}

function headersOf({ method, body }: Operation, code: ErrorCode): Readonly<Record<string, string>> {
  switch (code) {
    case "unauthorized":
      return INVALID_KEY.headers;
    case "forbidden":
      return FORBIDDEN_HEADERS;
    case "request_timeout":
      return CLOSE;
    case "unsupported_media_type":
      return body === undefined ? {} : acceptHeaders(method, body.mediaTypes);
    case "rate_limited":
      return { "Retry-After": String(RATE_LIMITED_SECONDS) };
    case "idempotency_in_progress":
    case "unavailable":
      return { "Retry-After": "1" };
    default:
      return {};
  }
}
