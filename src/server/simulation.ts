import type { Simulate } from "../http/simulate.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";

/** Staging's simulations: loaded by the first request that asks for one. */
export function lazySimulate(database: Database, clock: Clock): Simulate {
  return async (call, handle) => {
    const { simulate } = await import("../http/simulation/simulate.ts");
    return simulate({ database, clock }, call, handle);
  };
}
