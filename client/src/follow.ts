import { type Int64, parseInt64 } from "exact-json/int64";
import { readJson } from "exact-json/read-json";
import { withQuery } from "./address.ts";
import { type Check, checkOptions } from "./check-options.ts";
import { wait } from "./deadline.ts";
import { PetstoreConnectionError, PetstoreError } from "./errors.ts";
import { readMessages } from "./event-stream.ts";
import { type Answer, type Hooks, joinHooks } from "./hooks.ts";
import { listAt } from "./list.ts";
import { type CallOptions, type Checks, HEADERS, HOOKS, SIGNAL } from "./options.ts";
import { checkAndCall } from "./request.ts";
import { delayBeforeRetry, isTransient, LONGEST_BACKOFF_MS, readRetryAfter } from "./retry.ts";
import type { Settings } from "./settings.ts";
import type { Event, EventFilter } from "./types.ts";

export interface FollowOptions extends Pick<EventFilter, "types" | "petId">, StreamCall {
  /**
   * Identifier of the last event that you already have. The stream begins with the next event. With 0, it begins with the oldest
   * event in the log. If left out, it contains only events that happen after the iteration has started.
   */
  readonly after?: Int64 | undefined;
}

/** Options for each connection that a stream of events opens. When `signal` aborts, the iteration throws the signal's reason. */
type StreamCall = Pick<CallOptions, "signal" | "headers" | keyof Hooks>;

const ID: Check = [
  "an integer: a bigint, or a number below 2^53",
  (value) => typeof value === "bigint" || Number.isSafeInteger(value),
];

const FOLLOW_OPTIONS: Checks<FollowOptions> = {
  after: ID,
  types: ["a list of types", Array.isArray],
  petId: ID,
  signal: SIGNAL,
  headers: HEADERS,
  ...HOOKS,
};

/**
 * If a stream delivers no data for this many milliseconds, the client reconnects it. The service sends a heartbeat three times in
 * this period.
 */
const SILENCE_MS = 45_000;

/** If all events were deleted, the client looks for the next one at this interval, in milliseconds. */
const EMPTY_LOG_MS = 1_000;

/**
 * Yields events without end. If the first connection fails, the iteration fails like any other call. After that, transient
 * failures are retried for ever.
 */
export async function* followEvents(
  settings: Settings,
  options: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  checkOptions("events.follow", options, FOLLOW_OPTIONS);
  const { after, types, petId, ...call } = options;
  const collection = `${settings.storeUrl}/events`;
  const address = withQuery(collection, { petId, type: types });
  let position = after ?? (await endOf(settings, collection, "desc", call)) ?? 0;
  const streams = createStreamOpener(settings, address, call);
  for (;;) {
    let body: ReadableStream<Uint8Array>;
    try {
      body = await streams.open(position);
    } catch (error) {
      if (!isBeforeKept(error, position)) throw error;
      const oldest = await endOf(settings, collection, "asc", call);
      if (oldest === undefined) await wait(EMPTY_LOG_MS, call.signal);
      else position = BigInt(oldest) - 1n;
      continue;
    }
    for await (const { id, data } of readMessages(body, SILENCE_MS, call.signal)) {
      const event = data === undefined ? undefined : readEvent(address, data);
      const next = event?.id ?? parseInt64(id);
      if (next === undefined || (event === undefined && next <= position)) continue;
      if (next <= position) throw backwards(address, position, next);
      position = next;
      streams.succeed();
      if (event !== undefined) yield event;
    }
  }
}

/**
 * Finds the identifier of the newest or oldest event in the log. The caller's filter is not applied, because the log may no
 * longer contain any event that matches it.
 */
async function endOf(
  settings: Settings,
  collection: string,
  order: "asc" | "desc",
  call: CallOptions,
): Promise<Int64 | undefined> {
  const query = order === "asc" ? { order, limit: 1 } : { limit: 1 };
  const events = listAt<Event>(settings, () => withQuery(collection, query), call, { growsAtEnd: true });
  for await (const { id } of events) return id;
  return undefined;
}

/** True if the caller asked for all events since the beginning, but the service has already deleted the oldest ones. */
function isBeforeKept(error: unknown, position: Int64): boolean {
  return error instanceof PetstoreError && error.code === "cursor_expired" && Number(position) === 0;
}

/**
 * Creates a function that opens the next stream of events. The function waits before every stream except the first, and waits
 * longer each time until a stream delivers an event.
 */
function createStreamOpener(settings: Settings, address: string, call: StreamCall) {
  const { signal } = call;
  const { onRetry } = joinHooks(settings.hooks, call);
  let retryAfterSeconds: number | undefined;
  let failures = 0;
  let openedAt: number | undefined;
  const onAnswer = (answer: Answer) => {
    retryAfterSeconds = readRetryAfter(answer.headers);
    call.onAnswer?.(answer);
  };

  async function connect(lastEventId: Int64, retries?: number): Promise<ReadableStream<Uint8Array>> {
    retryAfterSeconds = undefined;
    const stream = { method: "GET", address, expects: "stream", lastEventId } as const;
    const { value } = await checkAndCall(settings, stream, { ...call, onAnswer, retries });
    openedAt = performance.now();
    return value as ReadableStream<Uint8Array>;
  }

  return {
    async open(position: Int64): Promise<ReadableStream<Uint8Array>> {
      if (openedAt === undefined) return connect(position);
      if (performance.now() - openedAt > LONGEST_BACKOFF_MS) failures = 0;
      for (let error: PetstoreConnectionError | PetstoreError | undefined; ; ) {
        const delayMs = delayBeforeRetry(++failures, retryAfterSeconds);
        if (error !== undefined)
          onRetry({ error, delayMs, request: { method: "GET", address, attempt: failures - 1 } });
        await wait(delayMs, signal);
        try {
          return await connect(position, 0);
        } catch (reason) {
          if (!mayPass(reason)) throw reason;
          error = reason;
        }
      }
    },
    succeed(): void {
      failures = 0;
    },
  };
}

/**
 * True for a failure that a restart of the service may have caused. An error page from a proxy counts as such a failure, because
 * the address worked earlier.
 */
function mayPass(error: unknown): error is PetstoreConnectionError | PetstoreError {
  if (error instanceof PetstoreConnectionError) return true;
  return error instanceof PetstoreError && (error.status >= 500 || isTransient(error.status, error.code));
}

function readEvent(address: string, data: string): Event {
  try {
    return readJson(data) as Event;
  } catch (cause) {
    throw failure(address, "sent an event that is not JSON", { cause });
  }
}

function backwards(address: string, position: Int64, next: Int64): PetstoreConnectionError {
  return failure(
    address,
    `sent event ${next} after event ${position}: the store was reset or restored. Read all data again, then follow new events`,
  );
}

function failure(address: string, what: string, options: ErrorOptions = {}): PetstoreConnectionError {
  return new PetstoreConnectionError(`GET ${address} ${what}.`, {
    address,
    outcomeUnknown: false,
    ...options,
  });
}
