import { existsSync, statSync } from "node:fs";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { readServerTime } from "../../storage/inspected-server.ts";
import { storeFiles } from "../../storage/store-files.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

const CLOCK_OFF_MAX_MS = 5_000; // between two machines' clocks; beyond, `petstore doctor` warns

const ADVICE = "Set the clock and keep it synchronized (NTP): expiry, retries and sessions depend on it.";
/** This program is newer than that. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Compares this machine's clock with the database server's, or with the newest file of the store. */
export async function checkClock(
  { databaseUrl, databaseDirectUrl = databaseUrl, dataDir }: Config,
  now: number,
): Promise<CheckResult> {
  if (now < EARLIEST) return fail("clock", `shows ${new Date(now).toISOString()}`, ADVICE);
  try {
    return databaseDirectUrl === undefined
      ? compareWithFiles(now, newestWrite(dataDir))
      : compareWithServer(now, await readServerTime(databaseDirectUrl));
  } catch (error) {
    return fail("clock", `cannot be compared: ${errorMessage(error)}`, "See the database checks.");
  }
}

function compareWithFiles(now: number, newest: number | undefined): CheckResult {
  const ahead = (newest ?? now) - now;
  return ahead > CLOCK_OFF_MAX_MS
    ? fail("clock", `the newest data was written ${Math.round(ahead / 1000)} s in the future`, ADVICE)
    : ok("clock", "not behind the data");
}

function compareWithServer(now: number, theirs: number): CheckResult {
  const off = Math.abs(theirs - now);
  return off > CLOCK_OFF_MAX_MS
    ? fail("clock", `differs from the database server's by ${Math.round(off / 1000)} s`, ADVICE)
    : ok("clock", `agrees with the database server's within ${Math.max(1, Math.round(off / 1000))} s`);
}

/** Milliseconds since 1970. */
function newestWrite(dataDir: string): number | undefined {
  const times = existsSync(dataDir) ? storeFiles(dataDir).map((file) => statSync(file).mtimeMs) : [];
  return times.length === 0 ? undefined : Math.max(...times);
}
