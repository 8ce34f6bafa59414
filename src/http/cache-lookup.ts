import { andThenFor, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Call } from "./call.ts";
import { applyIfNoneMatch } from "./preconditions.ts";
import type { Responding } from "./response.ts";
import { asksForSimulation } from "./simulation/petstore-simulate.ts";

/**
 * Answers a request from the response cache. This works only if the key and the version of the data are cached, too.
 *
 * @returns undefined if the request cannot be answered from the caches
 */
export function answerFromCache(call: Call): Responding | undefined {
  call.actor = call.pipeline.authenticator.authenticateFromCache?.(call);
  const version = askVersion(call);
  call.version = version;
  return version instanceof Promise ? undefined : respondFromCache(call, version);
}

/**
 * Reads the current version of the data. The response is cached under this version, which is read before the data itself. If
 * another transaction commits in between, new data is cached under the old version, which is harmless; old data is never cached
 * under the new version.
 *
 * @returns undefined if the response must not be cached
 */
export function askVersion(call: Call): Maybe<DataVersion | undefined> {
  const { pipeline, endpoint, actor, request, now } = call;
  if (endpoint === undefined || actor === undefined) return undefined;
  // Event streams and pages of events are not cached. A page of events ends before the first event of an unfinished transaction.
  // When that transaction commits, the version of the data changes slightly before its events can be read. A page that is read
  // between these two moments has the new version but lacks the new events.
  if (endpoint.follow !== undefined || asksForSimulation(request)) return undefined;
  // If there is a rate limit, responses are not cached, because the limit must count every request.
  if (pipeline.limitRate !== undefined || !endpoint.plan.isCacheable) return undefined;
  return pipeline.responseCache?.version(request.url, now);
}

/**
 * Returns the cached response for this address, if it was made from the current version of the data. Everybody who may read the
 * data may get this response.
 */
export function respondFromCache(call: Call, version: DataVersion | undefined): Responding | undefined {
  const { pipeline, request, endpoint } = call;
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(request.url, version);
  if (cached === undefined) return undefined;
  call.operation = endpoint?.operation;
  return andThenFor(cached, request, applyIfNoneMatch);
}
