import pino from "pino";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured lines: what happened, in fields. Never a key, a password, or anything else a client wrote. */
export type Logger = Pick<pino.Logger, "debug" | "info" | "warn" | "error">;

/**
 * Lines of JSON on standard output, with times in RFC 3339. They are written in the background: a reader that has
 * gone away, or a full disk, costs lines and never a request.
 */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({ dest: STANDARD_OUTPUT, sync: false });
  destination.on("error", () => {});
  process.once("exit", () => flush(destination));
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: levelName },
    serializers: { err: faultFields },
  };
  return pino(options, destination);
}

const STANDARD_OUTPUT = 1;

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
