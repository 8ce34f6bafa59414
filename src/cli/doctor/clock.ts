import { existsSync, statSync } from "node:fs";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { CLOCK_OFF_MAX_MS } from "../../limits.ts";
import { readServerTime } from "../../storage/open.ts";
import { storeFiles } from "../../storage/store-files.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

const ADVICE = "Set the clock, and keep it set (NTP): expiry, retries and sign-ins go by it.";
/** This program was not there before. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Whether this machine's clock can be right, by what else tells the time. */
export async function checkClock({ databaseUrl, dataDir }: Config, now: number): Promise<CheckResult> {
  if (now < EARLIEST) return fail("clock", `it says ${new Date(now).toISOString()}`, ADVICE);
  try {
    return databaseUrl === undefined
      ? compareWithFiles(now, newestWrite(dataDir))
      : compareWithServer(now, await readServerTime(databaseUrl));
  } catch (error) {
    return fail("clock", `it cannot be compared: ${errorMessage(error)}`, "See the databases.");
  }
}

function compareWithFiles(now: number, newest: number | undefined): CheckResult {
  const ahead = (newest ?? now) - now;
  return ahead > CLOCK_OFF_MAX_MS
    ? fail("clock", `the data was last written ${Math.round(ahead / 1000)} s from now`, ADVICE)
    : ok("clock", "it is not behind the data");
}

function compareWithServer(now: number, theirs: number): CheckResult {
  const off = Math.abs(theirs - now);
  return off > CLOCK_OFF_MAX_MS
    ? fail("clock", `it is ${Math.round(off / 1000)} s off the database server's`, ADVICE)
    : ok("clock", `it agrees with the database server's to ${Math.max(1, Math.round(off / 1000))} s`);
}

/** Milliseconds since 1970. */
function newestWrite(dataDir: string): number | undefined {
  const times = existsSync(dataDir) ? storeFiles(dataDir).map((file) => statSync(file).mtimeMs) : [];
  return times.length === 0 ? undefined : Math.max(...times);
}
