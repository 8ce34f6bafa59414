import type { Int64 } from "exact-json/int64";
import { writeJson } from "exact-json/write-json";
import { digits } from "./address.ts";
import { checkOptions } from "./check-options.ts";
import { startDeadline } from "./deadline.ts";
import { rememberTag } from "./etag.ts";
import { programError, type ToError } from "./failures.ts";
import { readHeaders } from "./headers.ts";
import { joinHooks } from "./hooks.ts";
import { CALL_OPTIONS, type CallOptions, type ChangeOptions } from "./options.ts";
import { randomName } from "./random.ts";
import { delayBeforeRetry } from "./retry.ts";
import {
  EVENT_STREAM,
  type OutgoingRequest,
  type SendContext,
  type SendFailure,
  type SendSuccess,
  sendOnce,
} from "./send.ts";
import type { Settings } from "./settings.ts";

/** Requests errors as Problem Details (RFC 9457), because that format lists every invalid member of the request's body. */
const ACCEPT = "application/problem+json, application/json;q=0.9";
const MEDIA_TYPES: Readonly<Record<string, string>> = { PATCH: "application/merge-patch+json" };
const DELETED: SendSuccess = { value: undefined, link: null, etag: null };

type OperationRequest = Pick<OutgoingRequest, "method" | "address" | "expects"> & {
  readonly body?: unknown;
  /** For a stream, the identifier of the last event that the caller already has; undefined for other requests. */
  readonly lastEventId?: Int64;
};
/**
 * Settings for sending requests. Without `authorization`, the session of the web page authenticates the requests, as in the
 * console.
 */
export interface RequestSettings
  extends Pick<Settings, "timeoutMs" | "retries" | "headers" | "hooks" | "fetch">,
    Pick<SendContext, "authorization"> {
  readonly toError: ToError;
}

type Call = CallOptions | undefined;
type ChangeCall = ChangeOptions | undefined;

/**
 * Creates a function for each HTTP method. Each function resolves to the response's body. The body is not validated, because the
 * API's contract guarantees its type.
 */
export function createRequester(settings: Settings) {
  const fetchBody = async <Body>(operation: OperationRequest, call: ChangeCall) => {
    const { value, etag } = await checkAndCall(settings, operation, call);
    rememberTag(value, etag);
    return value as Body;
  };
  return {
    get: <Body>(address: string, call: Call) =>
      fetchBody<Body>({ method: "GET", address, expects: "object" }, call),
    post: <Body>(address: string, body: unknown, call: ChangeCall) =>
      fetchBody<Body>({ method: "POST", address, body, expects: "object" }, call),
    put: <Body>(address: string, body: unknown, call: Call) =>
      fetchBody<Body>({ method: "PUT", address, body, expects: "object" }, call),
    patch: <Body>(address: string, body: unknown, call: ChangeCall) =>
      fetchBody<Body>({ method: "PATCH", address, body, expects: "object" }, call),
    delete: (address: string, call: ChangeCall) =>
      fetchBody<void>({ method: "DELETE", address, expects: "nothing" }, call),
  };
}

/**
 * Checks the options and then calls an operation. The check is necessary, because a JavaScript program may pass invalid options.
 *
 * @throws TypeError for an invalid option; otherwise the same errors as `callWithinDeadline`
 */
export async function checkAndCall(
  settings: Settings,
  operation: OperationRequest,
  call: ChangeOptions = {},
): Promise<SendSuccess> {
  checkOptions("A call", call, CALL_OPTIONS);
  const headers = readHeaders(call.headers);
  return callWithinDeadline({ ...settings, toError: programError }, operation, { ...call, headers });
}

/**
 * Calls an operation. The deadline applies to the whole call, including all retries.
 *
 * @throws PetstoreError, PetstoreConnectionError, or the reason of the caller's signal
 */
export async function callWithinDeadline(
  settings: RequestSettings,
  operation: OperationRequest,
  call: ChangeOptions,
): Promise<SendSuccess> {
  const outgoing = outgoingRequest(settings, operation, call);
  const deadline = startDeadline(call.timeoutMs ?? settings.timeoutMs, call.signal);
  try {
    const { fetch = globalThis.fetch, authorization, toError } = settings;
    const context: SendContext = { fetch, deadline, authorization, hooks: joinHooks(settings.hooks, call) };
    return await sendWithRetries(outgoing, context, call.retries ?? settings.retries, toError);
  } finally {
    deadline.release();
  }
}

/**
 * Sends a request until it succeeds. Gives up if the request fails permanently, if it must not be retried, or if it has reached
 * the maximum number of retries or the deadline.
 */
async function sendWithRetries(
  outgoing: OutgoingRequest,
  context: SendContext,
  retries: number,
  toError: ToError,
): Promise<SendSuccess> {
  let outcomeUnknown = false;
  for (let attempts = 1; ; attempts++) {
    const result = await sendOnce(outgoing, context, attempts);
    if ("value" in result) return result;
    if (outcomeUnknown && isDeleted(outgoing, result)) return DELETED;
    outcomeUnknown ||= result.outcomeUnknown;
    const delay = delayBeforeRetry(attempts, result.retryAfterSeconds);
    const isLast = !result.isTransient || attempts > retries || delay >= context.deadline.remainingMs();
    const error = toError(outgoing, result, { attempts, outcomeUnknown });
    if (isLast) throw error;
    const { method, address } = outgoing;
    context.hooks.onRetry({ error, delayMs: delay, request: { method, address, attempt: attempts } });
    await context.deadline.wait(delay);
  }
}

/**
 * True if a DELETE got a 404. If an earlier attempt got no response, the 404 counts as success, because that attempt or another
 * client has deleted the resource.
 */
function isDeleted({ method }: OutgoingRequest, { response }: SendFailure): boolean {
  return method === "DELETE" && response?.status === 404;
}

function outgoingRequest(
  settings: RequestSettings,
  { method, address, body, expects, lastEventId }: OperationRequest,
  { idempotencyKey, ifMatch, headers }: ChangeOptions,
): OutgoingRequest {
  return {
    method,
    address,
    headers: {
      ...settings.headers,
      ...headers,
      Accept: expects === "stream" ? EVENT_STREAM : ACCEPT,
      ...(body !== undefined && { "Content-Type": MEDIA_TYPES[method] ?? "application/json" }),
      ...(method === "POST" && { "Idempotency-Key": quote(idempotencyKey ?? randomName()) }),
      ...(lastEventId !== undefined && { "Last-Event-ID": digits(lastEventId) }),
      // A proxy that compresses responses adds the prefix `W/`. The prefix is removed here, because a weak `ETag` in `If-Match`
      // never matches (RFC 9110 §13.1.1).
      ...(ifMatch !== undefined && { "If-Match": ifMatch.replace(/^W\//, "") }),
    },
    body: body === undefined ? undefined : writeJson(body),
    expects,
  };
}

/**
 * Writes an idempotency key as a Structured Field string (RFC 8941 §3.3.3): in quotes, and with a backslash before each quote or
 * backslash in the key.
 */
function quote(idempotencyKey: string): string {
  return `"${idempotencyKey.replaceAll(/["\\]/g, "\\$&")}"`;
}
