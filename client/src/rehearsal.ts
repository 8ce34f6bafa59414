import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { NewReset, NewTestClock, Reset, TestClock } from "./types.ts";

/** Operations of staging only, for a read-write key of staff; `baseUrl` must be staging's. Beta. */
export interface Rehearsal {
  /** `getTestClock`: the time of the test clock, and the service's own. */
  getClock(call?: CallOptions): Promise<TestClock>;
  /** `setTestClock`: moves the clock of removals and idempotency, which continues from there; null for the real time. */
  setClock(clock: NewTestClock, call?: CallOptions): Promise<TestClock>;
  /** `resetStore`: empties staging and inserts a fixture, always with the same identifiers. */
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
