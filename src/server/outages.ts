import { ServiceError } from "../errors.ts";
import { UnreachableError } from "../storage/database.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Time without a failure that ends an outage. While a standby is lost, reads succeed, and the keys' uses fail every 5.4 s. */
const OUTAGE_QUIET_MS = 10_000;

/** Wraps a log: an outage of the database server is two lines, its first failure and its end with the number of failures. */
export function logOutages(log: Logger) {
  let failures = 0;
  let begunAt = 0;
  let failedAt = 0;
  const error: Logger["error"] = (fields: unknown, text?: string) => {
    const { err } = Object(fields);
    const isRefusal = err instanceof ServiceError && err.code === "unavailable";
    if (!(failures > 0 ? isRefusal : err instanceof UnreachableError)) return log.error(fields, text);
    failedAt = performance.now();
    if (failures++ > 0) return;
    begunAt = failedAt;
    log.error(fields, "the database server does not answer; more failures are counted until it does");
  };
  return {
    log: Object.assign<Logger, Pick<Logger, "error">>(Object.create(log), { error }),
    onAnswer() {
      if (failures === 0 || performance.now() - failedAt < OUTAGE_QUIET_MS) return;
      const seconds = Math.round((failedAt - begunAt) / 1000);
      log.warn({ failures, seconds }, "the database server answers again");
      failures = 0;
    },
  };
}
