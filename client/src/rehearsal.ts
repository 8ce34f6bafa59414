import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { NewReset, NewTestClock, Reset, TestClock } from "./types.ts";

/** Operations that exist only in staging. They need staging's `baseUrl` and a read-write key of a staff account. Beta. */
export interface Rehearsal {
  /** `getTestClock`: reads the time of the test clock, and the service's own time. */
  getClock(call?: CallOptions): Promise<TestClock>;
  /** `setTestClock`: sets the test clock, which then runs on from that time. `null` returns to the real time. */
  setClock(clock: NewTestClock, call?: CallOptions): Promise<TestClock>;
  /** `resetStore`: empties staging and adds a fixture, whose resources always have the same identifiers. */
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
