import pino from "pino";
import { LOG_BUFFER_BYTES, LOG_FLUSH_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured lines: what happened, in fields. Never a key, a password, or anything else a client wrote. */
export interface Logger extends Pick<pino.Logger, "debug" | "info" | "warn" | "error"> {
  /** The line that every request leaves, at `info`. */
  request(line: RequestLine): void;
}

export interface RequestLine {
  /** Milliseconds since 1970: when the request came in. */
  readonly now: number;
  /** Fit for a header, and so for a line. */
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly keyId: string | undefined;
  readonly accountId: number | undefined;
  /** The caller's trace, 32 hexadecimal digits. */
  readonly traceId: string | undefined;
}

/**
 * Lines of JSON on standard output, with times in RFC 3339. They are written in the background: a reader that has
 * gone away, or a full disk, costs lines and never a request.
 */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({
    dest: STANDARD_OUTPUT,
    sync: false,
    // So that what was gathered is one write.
    maxWrite: 2 * LOG_BUFFER_BYTES,
  });
  destination.on("error", () => {});
  const requests = gatherLines((text) => destination.write(text));
  process.once("exit", () => {
    requests.flush();
    flush(destination);
  });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: levelName },
    serializers: { err: faultFields },
  };
  const logger = pino(options, destination);
  const timeOf = createTimeFormat();
  const tells = logger.isLevelEnabled("info");
  return Object.assign(logger, {
    request(line: RequestLine) {
      if (tells) requests.add(requestText(line, timeOf(line.now)));
    },
  });
}

const STANDARD_OUTPUT = 1;

/** Lines that are written together: a write of each would cost more than the line. */
function gatherLines(write: (text: string) => void) {
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text !== "") write(text);
    text = "";
  }

  return {
    flush,
    add(line: string): void {
      text += line;
      if (text.length >= LOG_BUFFER_BYTES) flush();
      else timer ??= setTimeout(flush, LOG_FLUSH_MS);
    },
  };
}

/** Formats a time once for all the requests of the same millisecond. */
function createTimeFormat(): (now: number) => string {
  let last = Number.NaN;
  let text = "";
  return (now) => {
    if (now === last) return text;
    last = now;
    text = formatTime(now);
    return text;
  };
}

/** Written by hand: nothing in it needs escaping but the method, and it is on the way of every request. */
function requestText(line: RequestLine, time: string): string {
  const { requestId, service, method, operation, status, durationMs, keyId, accountId, traceId } = line;
  const whose =
    (keyId === undefined ? "" : `,"keyId":"${keyId}"`) +
    (accountId === undefined ? "" : `,"accountId":${accountId}`) +
    (traceId === undefined ? "" : `,"traceId":"${traceId}"`);
  const what = operation === undefined ? "" : `,"operation":"${operation}"`;
  return (
    `{"level":"info","time":"${time}","requestId":"${requestId}","service":"${service}",` +
    `"method":${JSON.stringify(method)}${what},"status":${status},"durationMs":${durationMs.toFixed(3)}${whose},"msg":"request"}\n`
  );
}

function flush(destination: { flushSync(): void }): void {
  try {
    destination.flushSync();
  } catch {
    // There is nobody left to tell.
  }
}

/** These fields alone: others may hold an address with a secret in it. */
function faultFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: "code" in error ? error.code : undefined, message, stack };
}

function levelName(label: string): { level: string } {
  return { level: label };
}
