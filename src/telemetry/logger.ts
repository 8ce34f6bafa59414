import { ServiceError } from "../errors.ts";
import { formatTime, systemClock } from "../platform/clock.ts";
import { openLogOutput } from "./log-output.ts";

const LOG_BUFFER_BYTES = 65_536; // maximum number of bytes of log lines that are written together
const LOG_FLUSH_MS = 50; // longest time that a log line waits before it is written, so that several lines can be written together

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes a log line with a text, or with fields and a text. The field `err` contains an error. */
type WriteLine = (fields: object | string, text?: string) => void;

/**
 * A log of structured lines. A line never contains an API key or a password. Of the data that clients send, it contains only the
 * path and the query.
 */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  request(line: RequestLine): void;
}

interface RequestLine {
  /** The time when the request arrived, in milliseconds since 1970. */
  readonly now: number;
  /** The request's identifier. All of its characters can be written to JSON without escaping. */
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  /** The path and the query, without secrets. All of their characters can be written to JSON without escaping. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly status: number;
  /** The error code of the response. Undefined if the response is not an error. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly keyId: string | undefined;
  readonly accountId: number | undefined;
  /** The caller's trace identifier: 32 hexadecimal digits. */
  readonly traceId: string | undefined;
  /** True if the response was changed by `Petstore-Simulate`. */
  readonly simulated: boolean | undefined;
}

export interface ProcessLogger extends Logger {
  /**
   * Writes all waiting log lines. Resolves at the deadline even if some lines are left, so that a blocked output cannot keep the
   * process from ending.
   */
  flush(): Promise<void>;
  readonly droppedLines: () => number;
}

type LineFormat = (lines: string | Uint8Array) => string;

/**
 * Loads the formatter for people if standard output is a terminal. Otherwise, returns undefined: the lines stay JSON, and the
 * formatter's module is not loaded.
 */
export async function lineFormat(isColourless: boolean): Promise<LineFormat | undefined> {
  if (!process.stdout.isTTY) return undefined;
  return (await import("./lines-in-words.ts")).formatInWords(isColourless);
}

/**
 * Creates a logger that writes JSON lines to standard output asynchronously. If the output is blocked, lines are lost, but requests
 * are not delayed.
 */
export function createLogger(level: LogLevel, format?: LineFormat): ProcessLogger {
  const output = openOutput(format);
  const requests = bufferLines(output.write);
  process.once("exit", () => {
    requests.flush();
    try {
      output.flushSync();
    } catch {
      // The process is ending, so this error cannot be logged.
    }
  });
  const isEnabled = (name: LogLevel) => LOG_LEVELS.indexOf(name) >= LOG_LEVELS.indexOf(level);
  const writerAt = (name: LogLevel): WriteLine =>
    isEnabled(name) ? (fields, text) => output.write(lineText(name, fields, text)) : () => {};
  const timeOf = createTimeFormat();
  const logsRequests = isEnabled("info");
  return {
    debug: writerAt("debug"),
    info: writerAt("info"),
    warn: writerAt("warn"),
    error: writerAt("error"),
    request(line) {
      if (logsRequests) requests.add(requestText(line, timeOf(line.now)));
    },
    flush() {
      requests.flush();
      return output.flush();
    },
    droppedLines: output.droppedLines,
  };
}

function lineText(level: LogLevel, fields: object | string, text: string | undefined): string {
  const time = formatTime(systemClock.now());
  const line = typeof fields === "string" ? { msg: fields } : { ...fields, msg: text };
  return `${JSON.stringify({ level, time, ...line }, loggable)}\n`;
}

/** Converts an error or a bigint, because `JSON.stringify` writes an error as `{}` and throws for a bigint. */
function loggable(name: string, value: unknown): unknown {
  if (name === "err") return faultFields(value);
  return typeof value === "bigint" ? String(value) : value;
}

const STANDARD_OUTPUT = 1;

function openOutput(format: LineFormat | undefined) {
  if (format === undefined) return openLogOutput(STANDARD_OUTPUT, droppedText);
  const output = openLogOutput(STANDARD_OUTPUT, (lines) => format(droppedText(lines)));
  return { ...output, write: (lines: string | Uint8Array) => output.write(format(lines)) };
}

/** Collects log lines and writes several at once, because one write costs more than formatting a line. */
function bufferLines(write: (lines: Uint8Array) => void) {
  // Lines are collected as bytes. In a string that grows line by line, all parts would stay in memory.
  let bytes = Buffer.allocUnsafe(LOG_BUFFER_BYTES);
  let length = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    write(bytes.subarray(0, length));
    bytes = Buffer.allocUnsafe(LOG_BUFFER_BYTES);
    length = 0;
  }

  return {
    flush,
    add(line: string) {
      if (length + line.length > bytes.length) flush();
      // Latin-1 is enough, because the line is ASCII: the method is a token (RFC 9110 §9.1), and the path is encoded.
      length += bytes.write(line, length, "latin1");
      timer ??= setTimeout(flush, LOG_FLUSH_MS);
    },
  };
}

/**
 * Creates a function that formats times. It formats each millisecond only once, even if several requests arrive in that
 * millisecond.
 */
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

/**
 * Formats the log line of a request. The JSON is built by hand for speed, because there is one line for every request, and nothing
 * in it needs escaping.
 */
function requestText(line: RequestLine, time: string): string {
  const { requestId, service, method, path, operation, status, code, durationMs, keyId, accountId } = line;
  const { traceId, simulated } = line;
  const identity =
    (keyId === undefined ? "" : `,"keyId":"${keyId}"`) +
    (accountId === undefined ? "" : `,"accountId":${accountId}`) +
    (traceId === undefined ? "" : `,"traceId":"${traceId}"`) +
    (simulated ? ',"simulated":true' : "");
  const operationField = operation === undefined ? "" : `,"operation":"${operation}"`;
  const codeField = code === undefined ? "" : `,"code":"${code}"`;
  return (
    `{"level":"info","time":"${time}","requestId":"${requestId}","service":"${service}",` +
    `"method":"${method}","path":"${path}"${operationField},"status":${status}${codeField},"durationMs":${durationMs.toFixed(3)}${identity},"msg":"request"}\n`
  );
}

/** Formats the log line that replaces dropped lines. It says how many were dropped. */
function droppedText(lines: number): string {
  const time = formatTime(systemClock.now());
  return `{"level":"warn","time":"${time}","lines":${lines},"msg":"log lines were dropped, because standard output was blocked"}\n`;
}

/** Returns the fields of an error that are safe to log. Other fields may contain an address with a secret. */
function faultFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ServiceError && error.cause !== undefined) return faultFields(error.cause);
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: "code" in error ? error.code : undefined, message, stack };
}
