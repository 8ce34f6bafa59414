import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { NewReset, NewTestClock, Reset, TestClock } from "./types.ts";

/** Operations that exist only in staging. They need staging's `baseUrl` and a read-write key of a staff account. Beta. */
export interface Rehearsal {
  /** `getTestClock`: reads the time of the test clock and the real time. */
  getClock(call?: CallOptions): Promise<TestClock>;
  /** `setTestClock`: sets the test clock, which continues to run from the new time. `null` sets it back to the real time. */
  setClock(clock: NewTestClock, call?: CallOptions): Promise<TestClock>;
  /**
   * `resetStore`: deletes all data in staging, and adds the data of a fixture. The resources of a fixture always have the same
   * identifiers.
   */
  reset(newReset: NewReset, call?: CallOptions): Promise<Reset>;
}

export function rehearsalMethods(settings: Settings): Rehearsal {
  const { get, post, put } = createRequester(settings);
  const clock = `${settings.storeUrl}/test/clock`;
  return {
    getClock: async (call) => get(clock, call),
    setClock: async (newClock, call) => put(clock, newClock, call),
    reset: async (newReset, call) => post(`${settings.storeUrl}/test/reset`, newReset, call),
  };
}
