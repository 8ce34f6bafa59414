import type { SetClock } from "../platform/clock.ts";
import type { Connections } from "../storage/open.ts";
import type { Maintenance } from "./maintenance.ts";

const CLOCK_INTERVAL_MS = 60_000; // interval at which the clock is set by the database server's

/** Sets the clock by the database server's, now and every minute: the processes of a store agree on when a lease ends. */
export async function setByServer(
  clock: SetClock,
  { time }: Connections,
  maintenance: Maintenance,
): Promise<void> {
  // Silent: a server that cannot be reached is refused at the start, and reported later, by those who need it.
  const set = () => clock.set(time).catch(() => {});
  await set();
  maintenance.add({ name: "the clock", everyMs: CLOCK_INTERVAL_MS, run: set });
}
