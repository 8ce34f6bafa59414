import pino from "pino";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured lines: what happened, in fields. Never a key, a password, or anything else a client wrote. */
export type Logger = Pick<pino.Logger, "debug" | "info" | "warn" | "error">;

/** Lines of JSON on standard output, with times in RFC 3339. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: levelName },
  });
}

function levelName(label: string): { level: string } {
  return { level: label };
}
