import type { SetClock } from "../platform/clock.ts";
import type { Connections } from "../storage/open.ts";
import type { Maintenance } from "./maintenance.ts";

const CLOCK_INTERVAL_MS = 60_000; // interval at which the clock is set to the database server's time

/**
 * Sets the clock to the database server's time, now and every minute. All processes of a store then agree on when a reservation
 * (a lease) ends.
 */
export async function keepServerTime(
  clock: SetClock,
  { time: serverTime }: Connections,
  maintenance: Maintenance,
): Promise<void> {
  // An error of the database server is ignored, because the next use of the database will report it.
  const set = () => clock.set(serverTime).catch(() => {});
  await set();
  maintenance.add({ name: "the clock", everyMs: CLOCK_INTERVAL_MS, run: set });
}
