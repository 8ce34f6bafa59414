import type { Clock } from "../../platform/clock.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

const CLOCK_OFF_MAX_MS = 5_000; // `petstore doctor` reports clocks that differ by more than this

const ADVICE =
  "Set the clock and keep it synchronized (NTP). Expiry times, retries and sessions depend on the clock.";
/**
 * The start of 2026, in milliseconds since 1970. A clock that shows an earlier time is wrong, because this version of petstore
 * did not exist in 2025.
 */
const EARLIEST = Date.UTC(2026, 0, 1);

/**
 * Checks that the clock is not behind the newest data in the store.
 *
 * @param newest the time at which this data was written, in milliseconds since 1970
 */
export function compareWithFiles(now: number, newest: number): CheckResult {
  const ahead = newest - now;
  if (now < EARLIEST) return isEarly(now);
  return ahead > CLOCK_OFF_MAX_MS
    ? fail(
        "clock",
        `this machine's clock is ${Math.round(ahead / 1000)} s behind the newest data in the store`,
        ADVICE,
      )
    : ok("clock", "this machine's clock is not behind the newest data in the store");
}

/**
 * Checks that this machine's clock agrees with the database server's clock.
 *
 * @param read reads the server's clock, in milliseconds since 1970
 */
export async function compareWithServer(
  clock: Pick<Clock, "now">,
  read: () => Promise<number>,
): Promise<CheckResult> {
  // Reading the server's clock takes time, so it is compared with the middle of that time.
  const askedAt = clock.now();
  const theirs = await read();
  const now = (askedAt + clock.now()) / 2;
  const off = Math.abs(theirs - now);
  if (now < EARLIEST) return isEarly(now);
  return off > CLOCK_OFF_MAX_MS
    ? fail(
        "clock",
        `this machine's clock differs from the database server's clock by ${Math.round(off / 1000)} s`,
        ADVICE,
      )
    : ok(
        "clock",
        `this machine's clock differs from the database server's clock by at most ${Math.max(1, Math.round(off / 1000))} s`,
      );
}

function isEarly(now: number): CheckResult {
  return fail("clock", `shows ${new Date(now).toISOString()}`, ADVICE);
}
