import { RATE_LIMITED_SECONDS } from "../../contract/error-catalog.ts";
import { SIMULATE_PATTERN } from "../../contract/openapi/headers.ts";
import { mediaTypesOf, type Operation } from "../../contract/operation.ts";
import { errorExample, errorsOf } from "../../contract/operation-errors.ts";
import { type ErrorCode, ServiceError } from "../../errors.ts";
import { SIMULATED_DELAY_MS_MAX, SIMULATED_TIMES_MAX, SIMULATION_COUNTS_MAX } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../storage/database.ts";
import { numberColumn, singleRow } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { INVALID_KEY } from "../api-key-authenticator.ts";
import { acceptHeaders, CLOSE } from "../body.ts";
import { type Call, requireActor, requireEndpoint } from "../call.ts";
import { forbiddenHeaders } from "../require-access.ts";
import type { FileResponseData, Responding } from "../response.ts";
import { SIMULATE_HEADER } from "./petstore-simulate.ts";

export const SIMULATION_COUNT_MS = 10 * 60_000; // if a simulated request is not repeated within this time, its count starts again at 1

interface SimulationDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Makes a request fail, be delayed or lose its response, as `Petstore-Simulate` asks.
 *
 * @throws ServiceError the simulated error, `invalid_request`, or any error of `handle`
 */
export async function simulate(
  { database, clock }: SimulationDeps,
  call: Call,
  handle: () => Responding,
): Promise<FileResponseData> {
  const { request, pipeline } = call;
  const actor = requireActor(call);
  const { operation } = requireEndpoint(call);
  const header = request.headers.get(SIMULATE_HEADER) ?? "";
  const { error, delayMs, times } = readSimulation(header, operation);
  if (times !== undefined && actor.kind === "key") {
    const now = clock.now();
    const oldest = now - SIMULATION_COUNT_MS;
    const { keyId } = actor;
    const counted = { keyId, operation: operation.id, header, now, oldest };
    const count = singleRow(await database.run(countRequest, counted));
    if (count === 1) await database.run(removeEnded, [oldest, keyId]);
    if (count > times) return handle();
  }
  if (error !== undefined) {
    call.simulated = "error";
    setHeaders(call.headers, error);
    throw simulatedError(operation, error);
  }
  if (delayMs === undefined) {
    call.simulated = "lost";
    return handle();
  }
  call.simulated = "delayed";
  const wait = () => clock.wait(delayMs, request.signal);
  if (operation.method === "GET") {
    // The delay comes before the data is read, because a response that waits to be sent takes memory.
    await pipeline.concurrency.releaseWhile(call, wait());
    return handle();
  }
  try {
    return await handle();
  } finally {
    pipeline.concurrency.release(call);
    await wait();
  }
}

/**
 * Sets the headers that a real error would have. `unauthorized` has no `RateLimit` header, and the `RateLimit` header of
 * `rate_limited` says that no requests are left.
 */
function setHeaders(headers: Call["headers"], code: ErrorCode) {
  headers["Petstore-Simulated"] = "true";
  if (headers["RateLimit"] === undefined) return;
  if (code === "rate_limited") headers["RateLimit"] = `"default";r=0;t=${RATE_LIMITED_SECONDS}`;
  if (code !== "unauthorized") return;
  delete headers["RateLimit"];
  delete headers["RateLimit-Policy"];
}

/**
 * Counts a key's requests for an operation that have the same `Petstore-Simulate` header, in all processes together. If the
 * previous request came before `oldest`, the count starts again at 1.
 */
const countRequest: Statement<
  { keyId: string; operation: string; header: string; now: number; oldest: number },
  number
> = statement(
  `INSERT INTO simulation (key_id, operation, header, requests, requested_at) VALUES ($keyId, $operation, $header, 1, $now)
    ON CONFLICT (key_id, operation, header) DO UPDATE SET
      requests = CASE WHEN simulation.requested_at <= $oldest THEN 1 ELSE simulation.requests + 1 END,
      requested_at = excluded.requested_at
    RETURNING requests`,
  numberColumn("requests"),
);

/**
 * Deletes the counts whose last request came before `oldest`, and the oldest counts of a key that has too many counts. Runs
 * whenever a count is created or starts again.
 */
const removeEnded: Statement<[oldest: number, keyId: string]> = statement(
  `DELETE FROM simulation WHERE requested_at <= $1 OR key_id = $2 AND (operation, header) NOT IN (
    SELECT operation, header FROM simulation WHERE key_id = $2 ORDER BY requested_at DESC LIMIT CAST(${SIMULATION_COUNTS_MAX} AS BIGINT))`,
);

/** A parsed `Petstore-Simulate` header; `lose-answer` has neither an error nor a delay. */
interface Simulation {
  readonly error: ErrorCode | undefined;
  readonly delayMs: number | undefined;
  /** Number of requests with the same `Petstore-Simulate` header that are simulated; undefined if all of them are. */
  readonly times: number | undefined;
}

/**
 * Parses `Petstore-Simulate`.
 *
 * @throws ServiceError `invalid_request`, whose message lists the values that are valid for the operation
 */
function readSimulation(header: string, operation: Operation): Simulation {
  const [found, word, delay, count] = SIMULATE_PATTERN.exec(header) ?? [];
  const codes = errorsOf(operation);
  const error = codes.find((code) => code === word);
  const delayMs = delay === undefined ? undefined : Number(delay);
  const times = count === undefined ? undefined : Number(count);
  const isKnown = found !== undefined && (word === undefined || error !== undefined);
  const isWithin = (delayMs ?? 0) <= SIMULATED_DELAY_MS_MAX && (times ?? 1) <= SIMULATED_TIMES_MAX;
  if (isKnown && isWithin && times !== 0) return { error, delayMs, times };
  throw new ServiceError(
    "invalid_request",
    `Petstore-Simulate must be an error code (${codes.join(", ")}), delay=MS (0 to ${SIMULATED_DELAY_MS_MAX}) or lose-answer. ` +
      `You can append ; times=N (1 to ${SIMULATED_TIMES_MAX}).`,
  );
}

/** Creates the simulated error from the example in the API document, with the headers of a real error. */
function simulatedError(operation: Operation, code: ErrorCode): ServiceError {
  const { method, body } = operation;
  const { message, problems = [] } = errorExample(operation, code);
  const accepted = body && code === "unsupported_media_type" && acceptHeaders(method, mediaTypesOf(body));
  const headers = code === "forbidden" ? forbiddenHeaders(operation) : HEADERS[code];
  return new ServiceError(code, message, { headers: accepted || (headers ?? {}), problems });
}

const SOON = { "Retry-After": "1" };

const HEADERS: Partial<Record<ErrorCode, FileResponseData["headers"]>> = {
  unauthorized: INVALID_KEY.headers,
  request_timeout: CLOSE,
  rate_limited: { "Retry-After": String(RATE_LIMITED_SECONDS) },
  idempotency_in_progress: SOON,
  unavailable: SOON,
};
