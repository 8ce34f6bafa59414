import { leastRole, type Operation } from "../contract/operation.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Handling } from "./call.ts";
import { applyIfNoneMatch } from "./preconditions.ts";
import type { Responding } from "./response.ts";
import { asksForSimulation } from "./simulation/petstore-simulate.ts";

/** Looks up the key and the data's version, both cached, and answers from the response cache; undefined to continue. */
export function answerFromCache(handling: Handling): Responding | undefined {
  const { pipeline, context } = handling;
  context.actor = pipeline.authenticator.authenticateFromCache?.(context);
  handling.asked = askVersion(handling);
  if (handling.asked instanceof Promise) return undefined;
  handling.version = handling.asked;
  return respondFromCache(handling);
}

/**
 * The version of the data, under which a response is cached; undefined if it must not be cached. Read before the data: a
 * concurrent commit then makes the response outdated, never wrongly current.
 */
export function askVersion({ pipeline, context, endpoint }: Handling): Maybe<DataVersion | undefined> {
  if (endpoint === undefined || context.actor === undefined) return undefined;
  // Streams; and pages of events, which an open transaction cuts until it releases its locks, after the version has changed.
  if (endpoint.follow !== undefined || asksForSimulation(context.request)) return undefined;
  // A rate limit must count the requests that a cache would answer.
  if (pipeline.limitRate !== undefined || !isCacheable(endpoint.operation)) return undefined;
  return pipeline.responseCache?.version(context.request.url, context.now);
}

/** The response cached for this address at the current version, for any actor that may read. */
export function respondFromCache(handling: Handling): Responding | undefined {
  const { pipeline, context, endpoint, version } = handling;
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(context.request.url, version);
  if (cached === undefined) return undefined;
  context.operation = endpoint?.operation;
  return andThen(cached, (response) => applyIfNoneMatch(response, context.request));
}

/** True if a response depends on the address alone: not on the date, as a deprecated one does, nor on role or key. */
function isCacheable(operation: Operation): boolean {
  const { method, deprecation, dependsOnKey } = operation;
  return method === "GET" && leastRole(operation) === "viewer" && !deprecation && !dependsOnKey;
}
