import { ServiceError } from "../errors.ts";
import { DiskFullError, ReadOnlyServerError, UnreachableError } from "../storage/database.ts";
import type { Logger } from "../telemetry/logger.ts";

/**
 * Time without a failure after which an outage counts as over. In a store without a standby, the only operations that keep failing
 * during an outage may be attempts to record when an API key was last used. These attempts may be 5.4 s apart, so this time has to
 * be longer.
 */
const OUTAGE_QUIET_MS = 10_000;

interface Outage {
  readonly begins: string;
  readonly ends: string;
  /** True if the message `begins` already names the cause (the disk is full), so that the error is not logged. */
  readonly isCauseKnown?: true;
}

const SERVER_AWAY: Outage = {
  begins:
    "the database server does not answer; until it answers, further failures are counted but not logged",
  ends: "the database server answers again",
};
const READ_ONLY: Outage = {
  begins:
    "the database server is read-only (default_transaction_read_only is on, as providers set it when a disk fills): the store can be read, and changes get 503 until this setting is off; until then, failures are counted but not logged. If PgBouncer is used and changes are still refused afterwards, run RECONNECT in the console of PgBouncer, because its open connections keep the setting",
  ends: "the database server accepts changes again",
};
export const DISK_FULL: Outage = {
  begins:
    "the disk is full: the store can be read, and changes get 503 until space is freed; until then, failures are counted but not logged",
  ends: "the disk has space again, and changes are accepted",
  isCauseKnown: true,
};

function outageOf(err: unknown): Outage {
  if (err instanceof DiskFullError) return DISK_FULL;
  return err instanceof ReadOnlyServerError ? READ_ONLY : SERVER_AWAY;
}

/**
 * Wraps a log so that an outage of the database server, or a full disk, produces two lines instead of thousands: one at the first
 * failure, and another at the end, with the number of failures.
 *
 * @param disk describes the disk of an embedded store, including its free space
 */
export function logOutages(log: Logger, disk: () => object = () => ({})) {
  let outage: Outage | undefined;
  let failures = 0;
  let begunAt = 0;
  let failedAt = 0;
  const error: Logger["error"] = (fields, text) => {
    const { err } = Object(fields);
    const isRefusal = err instanceof ServiceError && err.code === "unavailable";
    if (!(outage !== undefined ? isRefusal : err instanceof UnreachableError)) return log.error(fields, text);
    failedAt = performance.now();
    failures++;
    const kind = outageOf(err);
    // A provider that makes a database read-only often ends all sessions first. The server then seems unreachable at first, and
    // only later turns out to be read-only.
    const isOtherKind = outage === SERVER_AWAY && kind === READ_ONLY;
    if (outage !== undefined && !isOtherKind) return;
    if (outage === undefined) begunAt = failedAt;
    outage = kind;
    log.error(outage.isCauseKnown ? disk() : fields, outage.begins);
  };
  return {
    log: Object.assign<Logger, Pick<Logger, "error">>(Object.create(log), { error }),
    onAnswer() {
      if (outage === undefined || performance.now() - failedAt < OUTAGE_QUIET_MS) return;
      const seconds = Math.round((failedAt - begunAt) / 1000);
      log.warn({ failures, seconds }, outage.ends);
      outage = undefined;
      failures = 0;
    },
  };
}
