import { andThenFor, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Call } from "./call.ts";
import { applyIfNoneMatch } from "./preconditions.ts";
import type { Responding } from "./response.ts";
import { asksForSimulation } from "./simulation/petstore-simulate.ts";

/**
 * Answers a request from the response cache, if the key and the version of the data are also cached.
 *
 * @returns undefined if the caches do not suffice
 */
export function answerFromCache(call: Call): Responding | undefined {
  call.actor = call.pipeline.authenticator.authenticateFromCache?.(call);
  const version = askVersion(call);
  call.version = version;
  return version instanceof Promise ? undefined : respondFromCache(call, version);
}

/**
 * Reads the version of the data under which a response is cached. It is read before the data, so that a concurrent commit can make
 * the cached response outdated, but never make an outdated response look current.
 *
 * @returns undefined if the response must not be cached
 */
export function askVersion(call: Call): Maybe<DataVersion | undefined> {
  const { pipeline, endpoint, actor, request, now } = call;
  if (endpoint === undefined || actor === undefined) return undefined;
  // Event streams are not cached. Neither are pages of events: such a page ends before the first event of an open transaction. When
  // the transaction commits, the version changes a little earlier than its locks are released, and a page that is read in between
  // lacks its events.
  if (endpoint.follow !== undefined || asksForSimulation(request)) return undefined;
  // If there is a rate limit, responses are not cached, because the limit must count every request.
  if (pipeline.limitRate !== undefined || !endpoint.plan.isCacheable) return undefined;
  return pipeline.responseCache?.version(request.url, now);
}

/** Returns the response that is cached for this address at the current version. Any actor that may read the data may get it. */
export function respondFromCache(call: Call, version: DataVersion | undefined): Responding | undefined {
  const { pipeline, request, endpoint } = call;
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(request.url, version);
  if (cached === undefined) return undefined;
  call.operation = endpoint?.operation;
  return andThenFor(cached, request, applyIfNoneMatch);
}
