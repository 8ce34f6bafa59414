import type { Environment, ServiceName } from "../context.ts";
import { createApiKeyAuthenticator } from "../http/api-key-authenticator.ts";
import type { Limits, Pipeline, Simulate } from "../http/call.ts";
import { createResponseCache } from "../http/response-cache.ts";
import type { KeyVerifier } from "../keys/verify-key.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { StoreHandle } from "./open-database.ts";

interface KeyPipelineParts {
  readonly store: StoreHandle;
  readonly verifier: KeyVerifier;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Creates the pipeline that handles requests with an API key.
 *
 * @param environment the environment whose keys are accepted; undefined to accept keys of both environments
 */
export function keyPipeline(
  service: ServiceName,
  environment: Environment | undefined,
  { store, verifier: { getCached, verifyKey }, limits, clock, metrics }: KeyPipelineParts,
): Pipeline {
  return {
    ...limits,
    ...store,
    authenticator: createApiKeyAuthenticator({ environment, getCached, verifyKey }),
    // A cached response is used for all API keys. The messages service therefore has no response cache: its responses depend on the
    // environment of the key.
    responseCache: environment && responseCacheOf(store, service, metrics),
    simulate: service === "staging" ? lazySimulate(store.database, clock) : undefined,
  };
}

function responseCacheOf(
  { database, rehearsal }: StoreHandle,
  service: ServiceName,
  { responseCacheCounts }: Metrics,
) {
  const counts = {
    hit: responseCacheCounts({ service, outcome: "hit" }),
    kept: responseCacheCounts({ service, outcome: "kept" }),
  };
  const cache = createResponseCache(database.versions, (outcome) => {
    counts[outcome].value++;
  });
  // Empties the response cache after a reset, because a page that was read before or during the reset contains cursors that are
  // no longer valid.
  rehearsal?.onReset(cache.clear);
  return cache;
}

/**
 * Simulates errors, delays and lost responses in staging, for requests that ask for them. The module is loaded for the first such
 * request.
 */
function lazySimulate(database: Database, clock: Clock): Simulate {
  return async (call, handle) => {
    const { simulate } = await import("../http/simulation/simulate.ts");
    return simulate({ database, clock }, call, handle);
  };
}
