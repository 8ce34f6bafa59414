import { PetstoreConnectionError, PetstoreError } from "./errors.ts";
import type { AnswerHead, Fetch } from "./options.ts";
import type { Patience } from "./patience.ts";
import { readJson } from "./read-json.ts";
import { isPassing, readRetryAfter } from "./retry.ts";

/** A request as it is sent, as often as it is sent. */
export interface Message {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What a success carries. */
  readonly carries: "a list" | "an object" | "nothing";
}

export interface Success {
  readonly value: unknown;
  readonly link: string | null;
}

/** An attempt that did not do what was asked, as far as is known. */
export interface Failure {
  readonly status: number | undefined;
  /** The same may succeed a moment later. */
  readonly isPassing: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** What was asked for may have been done nevertheless. */
  readonly mayBeDone: boolean;
  /** What the caller is told if this attempt was the last. */
  error(outcomeUnknown: boolean, attempts: number): Error;
}

export interface Attempt {
  readonly fetch: Fetch;
  readonly patience: Patience;
  readonly onAnswer: ((answer: AnswerHead) => void) | undefined;
}

/**
 * Sends a message once.
 *
 * @throws what the caller's signal was aborted with
 */
export async function attempt(message: Message, context: Attempt): Promise<Success | Failure> {
  const { method, address, headers, body } = message;
  const { fetch, patience, onAnswer } = context;
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
      signal: patience.signal,
    });
    text = await response.text();
  } catch (error) {
    return interrupted(message, patience, error);
  }
  const requestId = response.headers.get("X-Request-Id") ?? "";
  onAnswer?.({ status: response.status, headers: response.headers, requestId });
  return readAnswer(message, response, text);
}

function interrupted(message: Message, patience: Patience, cause: unknown): Failure {
  if (patience.isTimeUp) return noAnswer(message, "did not answer in time", { cause, isPassing: false });
  if (patience.signal.aborted) throw patience.signal.reason;
  const reason = reasonOf(cause);
  return noAnswer(message, `could not be reached: ${reason}`, {
    cause,
    isPassing: true,
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

function readAnswer(message: Message, response: Response, text: string): Success | Failure {
  const { status, headers } = response;
  const value = text === "" ? undefined : parse(text);
  const isAnswered = message.carries === "nothing" ? text === "" : isAsAnnounced(value, message.carries);
  if (response.ok && isAnswered) return { value, link: headers.get("Link") };
  const retryAfterSeconds = readRetryAfter(headers);
  if (!response.ok && isRefusal(value)) {
    return {
      status,
      isPassing: isPassing(status, value.code),
      retryAfterSeconds,
      // Or it is being done right now, by an attempt that came before.
      mayBeDone: message.method !== "GET" && (status >= 500 || value.code === "idempotency_in_progress"),
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
    isPassing: isPassing(status, undefined),
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
  readonly isPassing: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** It certainly did not reach the service. */
  readonly isUnsent?: boolean;
}

function noAnswer(message: Message, what: string, details: NoAnswerDetails): Failure {
  const { cause, status, isPassing, retryAfterSeconds, isUnsent = false } = details;
  const { method, address } = message;
  return {
    status,
    isPassing,
    retryAfterSeconds,
    mayBeDone: method !== "GET" && !isUnsent,
    error(outcomeUnknown, attempts) {
      const often = attempts > 1 ? ` (${attempts} attempts)` : "";
      const doubt = outcomeUnknown ? " Whether the change was made is not known." : "";
      const options = { address, outcomeUnknown, ...(cause !== undefined && { cause }) };
      return new PetstoreConnectionError(`${method} ${address} ${what}${often}.${doubt}`, options);
    },
  };
}
