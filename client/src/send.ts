import { readJson } from "exact-json/read-json";
import type { Deadline } from "./deadline.ts";
import { type ErrorBody, readErrorBody } from "./error-body.ts";
import type { JoinedHooks, SentRequest } from "./hooks.ts";
import type { Fetch } from "./options.ts";
import { isTransient, readRetryAfter } from "./retry.ts";

/** An HTTP request, which is the same in every attempt. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly address: string;
  /** Headers of the request, without `Authorization`, which contains the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The kind of body that a 2xx response must have. A response with any other body did not come from petstore. */
  readonly expects: "list" | "object" | "nothing" | "any" | "stream";
}

export interface SendSuccess {
  /** The parsed body of the response; for a stream, its unread body. */
  readonly value: unknown;
  readonly link: string | null;
  readonly etag: string | null;
}

export interface SendFailure {
  readonly isTransient: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** True if the service may have made the change although the request failed. */
  readonly outcomeUnknown: boolean;
  /** The response, from the service or from another program; undefined if there was none. */
  readonly response: Response | undefined;
  /** The error in the body of the service's response; undefined if the response is not from petstore. */
  readonly body: ErrorBody | undefined;
  /** The timeout in milliseconds, if the request timed out; undefined for any other failure. */
  readonly timeoutMs: number | undefined;
  readonly cause: unknown;
}

export interface SendContext {
  readonly fetch: Fetch;
  readonly deadline: Deadline;
  /**
   * The `Authorization` header. It is undefined in the service's own web pages, where a session cookie authenticates the
   * requests.
   */
  readonly authorization: string | undefined;
  readonly hooks: JoinedHooks;
}

/**
 * Makes one attempt of a call: sends the request, and reads the response.
 *
 * @param attempt the number of the attempt, beginning with 1
 * @throws the reason of the caller's signal
 */
export async function sendOnce(
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
      headers: authorization === undefined ? headers : { ...headers, Authorization: authorization },
      ...(body !== undefined && { body }),
      // With an API key, no cookies are sent. Without a key, the session cookie of the web page authenticates the request.
      credentials: authorization === undefined ? "same-origin" : "omit",
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

export function requestIdOf({ headers }: Response): string {
  return headers.get("X-Request-Id") ?? "";
}

export const EVENT_STREAM = "text/event-stream";

function isStream({ ok, headers, body }: Response): boolean {
  return ok && body !== null && (headers.get("Content-Type") ?? "").startsWith(EVENT_STREAM);
}

function fetchFailure({ method }: OutgoingRequest, deadline: Deadline, cause: unknown): SendFailure {
  const { isExpired, signal, timeoutMs } = deadline;
  if (!isExpired && signal.aborted) throw signal.reason;
  return {
    isTransient: !isExpired,
    retryAfterSeconds: undefined,
    outcomeUnknown: method !== "GET" && (isExpired || !UNSENT.test(reasonOf(cause))),
    response: undefined,
    body: undefined,
    timeoutMs: isExpired ? timeoutMs : undefined,
    cause,
  };
}

/**
 * Matches the errors for a connection that could not be opened. In that case, nothing was sent. Node and Bun have error codes for
 * this; Deno has a message.
 */
const UNSENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused)$|client error \(Connect\)/;

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function readResponse(
  { method, expects }: OutgoingRequest,
  response: Response,
  text: string,
): SendSuccess | SendFailure {
  const { ok, status, headers } = response;
  const value = text === "" ? undefined : parse(text);
  const isExpected = text === "" ? MAY_BE_EMPTY.includes(expects) : isShape(value, expects);
  if (ok && isExpected) return { value, link: headers.get("Link"), etag: headers.get("ETag") };
  const body = ok ? undefined : readErrorBody(value);
  // `idempotency_in_progress` means that an earlier attempt may be making the change right now.
  const mayBeMade = ok || status >= 500 || body?.code === "idempotency_in_progress";
  return {
    isTransient: isTransient(status, body?.code),
    retryAfterSeconds: readRetryAfter(headers),
    outcomeUnknown: method !== "GET" && mayBeMade,
    response,
    body,
    timeoutMs: undefined,
    cause: undefined,
  };
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

type Expected = OutgoingRequest["expects"];

const MAY_BE_EMPTY: readonly Expected[] = ["nothing", "any"];

function isShape(value: unknown, expected: Expected): boolean {
  if (typeof value !== "object" || value === null) return false;
  const shape = Array.isArray(value) ? "list" : "object";
  return expected === shape || expected === "any";
}
