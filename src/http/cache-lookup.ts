import { andThenFor, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Call } from "./call.ts";
import { applyIfNoneMatch } from "./preconditions.ts";
import type { Responding } from "./response.ts";
import { asksForSimulation } from "./simulation/petstore-simulate.ts";

/** Looks up the key and the data's version, both in caches, and answers from the response cache. Undefined if it cannot. */
export function answerFromCache(call: Call): Responding | undefined {
  call.actor = call.pipeline.authenticator.authenticateFromCache?.(call);
  const version = askVersion(call);
  call.version = version;
  return version instanceof Promise ? undefined : respondFromCache(call, version);
}

/**
 * The version of the data under which a response is cached; undefined if it must not be cached. The version is read before the
 * data, so that a concurrent commit can only make the cached response outdated, never wrongly current.
 */
export function askVersion(call: Call): Maybe<DataVersion | undefined> {
  const { pipeline, endpoint, actor, request, now } = call;
  if (endpoint === undefined || actor === undefined) return undefined;
  // Event streams are not cached. Neither are pages of events: a page ends before an open transaction, which changes the version
  // at its commit but releases its locks a little later, so a page read in between would lack its events.
  if (endpoint.follow !== undefined || asksForSimulation(request)) return undefined;
  // With a rate limit there is no cache, because the limit must count every request.
  if (pipeline.limitRate !== undefined || !endpoint.plan.isCacheable) return undefined;
  return pipeline.responseCache?.version(request.url, now);
}

/** The response cached for this address at the current version, for any actor that may read. */
export function respondFromCache(call: Call, version: DataVersion | undefined): Responding | undefined {
  const { pipeline, request, endpoint } = call;
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(request.url, version);
  if (cached === undefined) return undefined;
  call.operation = endpoint?.operation;
  return andThenFor(cached, request, applyIfNoneMatch);
}
