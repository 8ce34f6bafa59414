import { ServiceError } from "../errors.ts";
import { formatTime, systemClock } from "../platform/clock.ts";
import { openLogOutput } from "./log-output.ts";

const LOG_BUFFER_BYTES = 65_536; // log lines in one write
const LOG_FLUSH_MS = 50; // longest time that a log line waits for others before it is written

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes a log line: a text, or members and a text. The member `err` is an error. */
type WriteLine = (fields: object | string, text?: string) => void;

/** A structured log. Lines never contain a key or a password, and nothing that a client sent except the path. */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  /** Writes a request's log line, at the level `info`. */
  request(line: RequestLine): void;
}

interface RequestLine {
  /** Arrival of the request, in milliseconds since 1970. */
  readonly now: number;
  /** Identifier of the request; needs no escaping in JSON. */
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  /** Path and query, without secrets; needs no escaping in JSON. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly status: number;
  /** Code of the response's error. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly keyId: string | undefined;
  readonly accountId: number | undefined;
  /** Trace identifier given by the caller: 32 hexadecimal digits. */
  readonly traceId: string | undefined;
  /** True if `Petstore-Simulate` affected the response. */
  readonly simulated: boolean | undefined;
}

export interface ProcessLogger extends Logger {
  /** Writes all log lines. It resolves at a deadline at the latest, so that a blocked output cannot keep the process from ending. */
  flush(): Promise<void>;
  readonly droppedLines: () => number;
}

type LineFormat = (lines: string | Uint8Array) => string;

/** Loads the formatter for a terminal. Elsewhere it is undefined: lines stay JSON, and the formatter's module is not loaded. */
export async function lineFormat(isColourless: boolean): Promise<LineFormat | undefined> {
  if (!process.stdout.isTTY) return undefined;
  return (await import("./lines-in-words.ts")).formatInWords(isColourless);
}

/** Creates a logger that writes JSON lines to standard output. It is asynchronous: a blocked output loses lines, but delays no request. */
export function createLogger(level: LogLevel, format?: LineFormat): ProcessLogger {
  const output = openOutput(format);
  const requests = bufferLines(output.write);
  process.once("exit", () => {
    requests.flush();
    try {
      output.flushSync();
    } catch {
      // The process is exiting, and the error cannot be logged.
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

/** Makes a value loggable: `JSON.stringify` writes an error as `{}`, and throws for a bigint. */
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

/** Buffers log lines and writes several at once, because a write costs more than a line. */
function bufferLines(write: (lines: Uint8Array) => void) {
  // Bytes instead of a string, because a string that grows line by line keeps all its parts in memory.
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
      // Latin-1 is enough, because the line is ASCII: a method is a token (RFC 9110 §9.1), and the path is encoded.
      length += bytes.write(line, length, "latin1");
      timer ??= setTimeout(flush, LOG_FLUSH_MS);
    },
  };
}

/** Formats a time once for all requests in a millisecond. */
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

/** The log line of a request. The JSON is built by hand because every request needs it; nothing in it needs escaping. */
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

/** The log line that takes the place of dropped lines, and tells their number. */
function droppedText(lines: number): string {
  const time = formatTime(systemClock.now());
  return `{"level":"warn","time":"${time}","lines":${lines},"msg":"log lines were dropped, because standard output was blocked"}\n`;
}

/** Selects the fields of an error that are logged. Its other fields may contain an address with a secret. */
function faultFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ServiceError && error.cause !== undefined) return faultFields(error.cause);
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: "code" in error ? error.code : undefined, message, stack };
}
