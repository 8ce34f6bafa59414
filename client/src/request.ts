import { startDeadline } from "./deadline.ts";
import type { CallOptions } from "./options.ts";
import { randomName } from "./random.ts";
import { delayBeforeRetry } from "./retry.ts";
import { type OutgoingRequest, type SendContext, type SendFailure, type SendSuccess, send } from "./send.ts";
import { readRetries, readTimeout, type Settings } from "./settings.ts";
import { writeJson } from "./write-json.ts";

/** One operation, as HTTP. */
export interface Request {
  readonly method: OutgoingRequest["method"];
  readonly address: string;
  readonly body?: unknown;
  readonly mediaType?: string;
  readonly carries: OutgoingRequest["carries"];
}

/**
 * Does what one operation asks for, with as many attempts as that takes and may take.
 *
 * The caller names the shape of the answer; the service's contract is what holds it.
 *
 * @throws PetstoreError, PetstoreConnectionError, and what the caller's signal was aborted with
 */
export async function request<Answer>(
  settings: Settings,
  asked: Request,
  call: CallOptions | undefined,
): Promise<Answer> {
  return (await perform(settings, asked, call)).value as Answer;
}

/** `request` for whoever needs more of the answer than its body. */
export async function perform(
  settings: Settings,
  asked: Request,
  call: CallOptions = {},
): Promise<SendSuccess> {
  const retries = readRetries(call.retries ?? settings.retries);
  const deadline = startDeadline(readTimeout(call.timeoutMs ?? settings.timeoutMs), call.signal);
  try {
    const { fetch = globalThis.fetch } = settings;
    const context: SendContext = { fetch, deadline, onAnswer: call.onAnswer };
    return await sendWithRetries(messageOf(settings, asked, call), context, retries);
  } finally {
    deadline.end();
  }
}

async function sendWithRetries(
  message: OutgoingRequest,
  context: SendContext,
  retries: number,
): Promise<SendSuccess> {
  let outcomeUnknown = false;
  for (let attempts = 1; ; attempts++) {
    const outcome = await send(message, context);
    if ("value" in outcome) return outcome;
    if (outcomeUnknown && isGone(message, outcome)) return { value: undefined, link: null };
    outcomeUnknown ||= outcome.outcomeUnknown;
    const delay = delayBeforeRetry(attempts, outcome.retryAfterSeconds);
    const isLast = !outcome.isTransient || attempts > retries || delay >= context.deadline.remainingMs();
    if (isLast) throw outcome.error(outcomeUnknown, attempts);
    await context.deadline.wait(delay);
  }
}

/** What an earlier attempt was to remove, and was not heard of again, is not there: that is what was asked for. */
function isGone({ method }: OutgoingRequest, { status }: SendFailure): boolean {
  return method === "DELETE" && status === 404;
}

function messageOf(settings: Settings, asked: Request, { idempotencyKey }: CallOptions): OutgoingRequest {
  const { method, address, body, mediaType = "application/json", carries } = asked;
  return {
    method,
    address,
    headers: {
      Accept: "application/json",
      Authorization: settings.authorization,
      ...(body !== undefined && { "Content-Type": mediaType }),
      ...(method === "POST" && { "Idempotency-Key": quote(idempotencyKey ?? randomName()) }),
    },
    body: body === undefined ? undefined : writeJson(body),
    carries,
  };
}

/** A Structured Field string (RFC 8941 §3.3.3), so that every character of a caller's own key arrives. */
function quote(idempotencyKey: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return `"${idempotencyKey.replaceAll(/["\\]/g, "\\$&")}"`;
  throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters.");
}
