import type { Deadline } from "./deadline.ts";
import { PetstoreConnectionError, PetstoreError } from "./errors.ts";
import type { AnswerHead, Fetch } from "./options.ts";
import { readJson } from "./read-json.ts";
import { isTransient, readRetryAfter } from "./retry.ts";

/** A request as it is sent, as often as it is sent. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What a success carries. */
  readonly carries: "a list" | "an object" | "nothing";
}

export interface SendSuccess {
  readonly value: unknown;
  readonly link: string | null;
}

/** An attempt that did not do what was asked, as far as is known. */
export interface SendFailure {
  readonly status: number | undefined;
  /** The same may succeed a moment later. */
  readonly isTransient: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** What was asked for may have been done nevertheless. */
  readonly outcomeUnknown: boolean;
  /** What the caller is told if this attempt was the last. */
  error(outcomeUnknown: boolean, attempts: number): Error;
}

export interface SendContext {
  readonly fetch: Fetch;
  readonly deadline: Deadline;
  readonly onAnswer: ((answer: AnswerHead) => void) | undefined;
}

/**
 * Sends a message once.
 *
 * @throws what the caller's signal was aborted with
 */
export async function send(
  message: OutgoingRequest,
  context: SendContext,
): Promise<SendSuccess | SendFailure> {
  const { method, address, headers, body } = message;
  const { fetch, deadline, onAnswer } = context;
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // The key is all that names the caller, and it goes nowhere else.
      credentials: "omit",
      redirect: "manual",
      signal: deadline.signal,
    });
    text = await response.text();
  } catch (error) {
    return interrupted(message, deadline, error);
  }
  const requestId = response.headers.get("X-Request-Id") ?? "";
  onAnswer?.({ status: response.status, headers: response.headers, requestId });
  return readAnswer(message, response, text);
}

function interrupted(message: OutgoingRequest, deadline: Deadline, cause: unknown): SendFailure {
  if (deadline.isTimeUp) return noAnswer(message, "did not answer in time", { cause, isTransient: false });
  if (deadline.signal.aborted) throw deadline.signal.reason;
  const reason = reasonOf(cause);
  return noAnswer(message, `could not be reached: ${reason}`, {
    cause,
    isTransient: true,
    isUnsent: UNSENT_REASONS.includes(reason),
  });
}

/** No connection came about, so nothing was asked: the words of Node and of Bun. */
const UNSENT_REASONS: readonly string[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ConnectionRefused"];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function readAnswer(message: OutgoingRequest, response: Response, text: string): SendSuccess | SendFailure {
  const { status, headers } = response;
  const value = text === "" ? undefined : parse(text);
  const isAnswered = message.carries === "nothing" ? text === "" : isAsAnnounced(value, message.carries);
  if (response.ok && isAnswered) return { value, link: headers.get("Link") };
  const retryAfterSeconds = readRetryAfter(headers);
  if (!response.ok && isRefusal(value)) {
    return {
      status,
      isTransient: isTransient(status, value.code),
      retryAfterSeconds,
      // Or it is being done right now, by an attempt that came before.
      outcomeUnknown: message.method !== "GET" && (status >= 500 || value.code === "idempotency_in_progress"),
      error: (outcomeUnknown) =>
        new PetstoreError(value.message, {
          code: value.code,
          status,
          requestId: headers.get("X-Request-Id") ?? "",
          retryAfterSeconds,
          outcomeUnknown,
        }),
    };
  }
  return noAnswer(message, describe(response), {
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

function isAsAnnounced(value: unknown, carries: "a list" | "an object"): boolean {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Array.isArray(value) === (carries === "a list");
}

function isRefusal(value: unknown): value is { readonly code: string; readonly message: string } {
  if (typeof value !== "object" || value === null) return false;
  return (
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}

/** An answer that the pet store would not give. */
function describe({ status, type, headers }: Response): string {
  if (type === "opaqueredirect") return "answered with a redirection, which is not followed";
  const location = headers.get("Location");
  if (status >= 300 && status < 400 && location !== null) {
    return `answered ${status} with a redirection to ${location}, which is not followed`;
  }
  const kind = headers.get("Content-Type")?.split(";")[0] ?? "no media type";
  return `answered ${status} with ${kind}, which is no answer of the pet store`;
}

interface NoAnswerDetails {
  readonly cause?: unknown;
  readonly status?: number;
  readonly isTransient: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** It certainly did not reach the service. */
  readonly isUnsent?: boolean;
}

function noAnswer(message: OutgoingRequest, what: string, details: NoAnswerDetails): SendFailure {
  const { cause, status, isTransient, retryAfterSeconds, isUnsent = false } = details;
  const { method, address } = message;
  return {
    status,
    isTransient,
    retryAfterSeconds,
    outcomeUnknown: method !== "GET" && !isUnsent,
    error(outcomeUnknown, attempts) {
      const often = attempts > 1 ? ` (${attempts} attempts)` : "";
      const doubt = outcomeUnknown ? " Whether the change was made is not known." : "";
      const options = { address, outcomeUnknown, ...(cause !== undefined && { cause }) };
      return new PetstoreConnectionError(`${method} ${address} ${what}${often}.${doubt}`, options);
    },
  };
}
