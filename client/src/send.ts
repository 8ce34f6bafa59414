import { readJson } from "exact-json/read-json";
import type { Deadline } from "./deadline.ts";
import { readErrorBody } from "./error-body.ts";
import { errorClass, PetstoreConnectionError, type PetstoreError } from "./errors.ts";
import type { JoinedHooks, SentRequest } from "./hooks.ts";
import type { Fetch } from "./options.ts";
import { isTransient, readRetryAfter } from "./retry.ts";

/** An HTTP request, the same in every attempt. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly address: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The body of a 2xx response. */
  readonly expects: "list" | "object" | "nothing" | "stream";
}

export interface SendSuccess {
  /** Of a stream, its body, which nothing has read. */
  readonly value: unknown;
  readonly link: string | null;
  readonly etag: string | null;
}

export interface SendFailure {
  readonly status: number | undefined;
  /** The same request may succeed later. */
  readonly isTransient: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The service may have made the change. */
  readonly outcomeUnknown: boolean;
  /** The error of the call when this attempt is its last. */
  error(outcomeUnknown: boolean, attempts: number): PetstoreError | PetstoreConnectionError;
}

export interface SendContext {
  readonly fetch: Fetch;
  readonly deadline: Deadline;
  readonly authorization: string;
  readonly hooks: JoinedHooks;
}

/**
 * One attempt.
 *
 * @param attempt 1 for the first of a call
 * @throws the reason of the caller's signal
 */
export async function send(
  outgoing: OutgoingRequest,
  context: SendContext,
  attempt: number,
): Promise<SendSuccess | SendFailure> {
  const { method, address, headers, body } = outgoing;
  const { fetch, deadline, authorization, hooks } = context;
  const request: SentRequest = { method, address, headers, body, attempt };
  hooks.onRequest(request);
  const startedAt = performance.now();
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(address, {
      method,
      headers: { ...headers, Authorization: authorization },
      ...(body !== undefined && { body }),
      // The key is the only credential, and it is sent to no other address.
      credentials: "omit",
      redirect: "manual",
      signal: deadline.signal,
    });
    if (outgoing.expects !== "stream" || !isStream(response)) text = await response.text();
  } catch (error) {
    return fetchFailure(outgoing, deadline, error);
  }
  hooks.onAnswer({
    status: response.status,
    headers: response.headers,
    requestId: requestIdOf(response),
    body: text,
    durationMs: performance.now() - startedAt,
    request,
  });
  return text === undefined
    ? { value: response.body, link: null, etag: null }
    : readResponse(outgoing, response, text);
}

function requestIdOf({ headers }: Response): string {
  return headers.get("X-Request-Id") ?? "";
}

export const EVENT_STREAM = "text/event-stream";

function isStream({ ok, headers, body }: Response): boolean {
  return ok && body !== null && (headers.get("Content-Type") ?? "").startsWith(EVENT_STREAM);
}

function fetchFailure(outgoing: OutgoingRequest, deadline: Deadline, cause: unknown): SendFailure {
  if (deadline.isExpired) {
    const what = `did not answer within ${deadline.timeoutMs} ms (timeoutMs)`;
    return connectionFailure(outgoing, what, { cause, isTransient: false });
  }
  if (deadline.signal.aborted) throw deadline.signal.reason;
  const reason = reasonOf(cause);
  return connectionFailure(outgoing, `could not be reached: ${reason}`, {
    cause,
    isTransient: true,
    isUnsent: UNSENT_REASONS.includes(reason),
  });
}

/** Error codes of Node and Bun for a connection that was not opened. */
const UNSENT_REASONS: readonly string[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ConnectionRefused"];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function readResponse(
  outgoing: OutgoingRequest,
  response: Response,
  text: string,
): SendSuccess | SendFailure {
  const { status, headers } = response;
  const value = text === "" ? undefined : parse(text);
  const isExpected = outgoing.expects === "nothing" ? text === "" : isShape(value, outgoing.expects);
  if (response.ok && isExpected) return { value, link: headers.get("Link"), etag: headers.get("ETag") };
  const retryAfterSeconds = readRetryAfter(headers);
  const error = response.ok ? undefined : readErrorBody(value);
  if (error !== undefined) {
    const { message, ...details } = error;
    const ErrorOfStatus = errorClass(status);
    const requestId = requestIdOf(response);
    return {
      status,
      isTransient: isTransient(status, error.code),
      retryAfterSeconds,
      // In progress: an earlier attempt may be making the change now.
      outcomeUnknown:
        outgoing.method !== "GET" && (status >= 500 || error.code === "idempotency_in_progress"),
      error: (outcomeUnknown) =>
        new ErrorOfStatus(message, { ...details, status, requestId, retryAfterSeconds, outcomeUnknown }),
    };
  }
  return connectionFailure(outgoing, describeUnexpected(response), {
    status,
    isTransient: isTransient(status, undefined),
    retryAfterSeconds,
    isUnsent: !response.ok && status < 500,
  });
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function isShape(value: unknown, expected: "list" | "object" | "stream"): boolean {
  const isObject = typeof value === "object" && value !== null && expected !== "stream";
  return isObject && Array.isArray(value) === (expected === "list");
}

/** A response that petstore does not send: of a proxy, a sign-in page of a network, or another service. */
function describeUnexpected({ status, type, headers }: Response): string {
  const advice = "which is not followed: set the base address to the final one";
  if (type === "opaqueredirect") return `answered with a redirection, ${advice}`;
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) {
    return `answered ${status} with a redirection to ${location}, ${advice}`;
  }
  const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "no media type";
  return `answered ${status} with ${mediaType}, which is not a petstore response: check the base address and any proxy`;
}

interface ConnectionFailureDetails {
  readonly cause?: unknown;
  readonly status?: number;
  readonly isTransient: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** The request did not reach the service. */
  readonly isUnsent?: boolean;
}

function connectionFailure(
  { method, address }: OutgoingRequest,
  what: string,
  { cause, isUnsent = false, status, isTransient, retryAfterSeconds }: ConnectionFailureDetails,
): SendFailure {
  return {
    status,
    isTransient,
    retryAfterSeconds,
    outcomeUnknown: method !== "GET" && !isUnsent,
    error(outcomeUnknown, attempts) {
      const count = attempts > 1 ? ` (${attempts} attempts)` : "";
      const doubt = outcomeUnknown ? " The change may have been made: check before you repeat it." : "";
      const options = { address, outcomeUnknown, ...(cause !== undefined && { cause }) };
      return new PetstoreConnectionError(`${method} ${address} ${what}${count}.${doubt}`, options);
    },
  };
}
