import { RATE_LIMITED_SECONDS } from "../../contract/error-catalog.ts";
import type { ErrorCode } from "../../errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Maybe } from "../../platform/maybe.ts";
import type { Database } from "../../storage/database.ts";
import type { RequestContext } from "../request-context.ts";
import type { FileResponseData } from "../response.ts";
import { SIMULATE_HEADER, type SimulatedCall } from "../simulate.ts";
import { countSimulated } from "./count-store.ts";
import { readSimulation, simulatedError } from "./simulation.ts";

export const SIMULATION_COUNT_MS = 10 * 60_000; // without a request that is counted; then it counts from 1 again

interface SimulationDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Answers as a `Petstore-Simulate` header asks.
 *
 * @param handle carries the request out
 * @throws ServiceError the simulated error; `invalid_request` for another header; what `handle` throws
 */
export async function simulate(
  { database, clock }: SimulationDeps,
  { context, slot, actor, endpoint: { operation } }: SimulatedCall,
  handle: () => Maybe<FileResponseData>,
): Promise<FileResponseData> {
  const header = context.request.headers.get(SIMULATE_HEADER) ?? "";
  const simulation = readSimulation(header, operation);
  if (simulation.times !== undefined && actor.kind === "key") {
    const now = clock.now();
    const name = [actor.keyId, operation.id, header] as const;
    if ((await countSimulated(database, name, now, now - SIMULATION_COUNT_MS)) > simulation.times)
      return handle();
  }
  if ("error" in simulation) {
    context.simulated = "error";
    setHeaders(context.headers, simulation.error);
    throw simulatedError(operation, simulation.error);
  }
  if ("loseAnswer" in simulation) {
    context.simulated = "lost";
    return handle();
  }
  context.simulated = "delayed";
  try {
    return await handle();
  } finally {
    slot.release();
    await clock.wait(simulation.delayMs, context.request.signal);
  }
}

/** A request without a valid key is not counted, and one that is refused by the limit has none left. */
function setHeaders(headers: RequestContext["headers"], code: ErrorCode): void {
  headers["Petstore-Simulated"] = "true";
  if (headers["RateLimit"] === undefined) return;
  if (code === "rate_limited") headers["RateLimit"] = `"default";r=0;t=${RATE_LIMITED_SECONDS}`;
  if (code !== "unauthorized") return;
  delete headers["RateLimit"];
  delete headers["RateLimit-Policy"];
}
