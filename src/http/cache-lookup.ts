import { leastRole, type Operation } from "../contract/operation.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Handling } from "./call.ts";
import { applyIfNoneMatch } from "./preconditions.ts";
import type { Responding } from "./response.ts";
import { asksForSimulation } from "./simulation/petstore-simulate.ts";

/** Looks up the key and the data's version, both cached, and answers from the response cache; undefined to continue. */
export function answerFromCache(handling: Handling): Responding | undefined {
  handling.actor = handling.pipeline.authenticator.authenticateFromCache?.(handling);
  const version = askVersion(handling);
  handling.version = version;
  return version instanceof Promise ? undefined : respondFromCache(handling, version);
}

/**
 * The version of the data, under which a response is cached; undefined if it must not be cached. Read before the data: a
 * concurrent commit then makes the response outdated, never wrongly current.
 */
export function askVersion(handling: Handling): Maybe<DataVersion | undefined> {
  const { pipeline, endpoint, actor, request, now } = handling;
  if (endpoint === undefined || actor === undefined) return undefined;
  // Streams; and pages of events, which an open transaction cuts until it releases its locks, after the version has changed.
  if (endpoint.follow !== undefined || asksForSimulation(request)) return undefined;
  // A rate limit must count the requests that a cache would answer.
  if (pipeline.limitRate !== undefined || !isCacheable(endpoint.operation)) return undefined;
  return pipeline.responseCache?.version(request.url, now);
}

/** The response cached for this address at the current version, for any actor that may read. */
export function respondFromCache(
  handling: Handling,
  version: DataVersion | undefined,
): Responding | undefined {
  const { pipeline, request, endpoint } = handling;
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(request.url, version);
  if (cached === undefined) return undefined;
  handling.operation = endpoint?.operation;
  return andThen(cached, (response) => applyIfNoneMatch(response, request));
}

/** True if a response depends on the address alone: not on the date, as a deprecated one does, nor on role or key. */
function isCacheable(operation: Operation): boolean {
  const { method, deprecation, dependsOnKey } = operation;
  return method === "GET" && leastRole(operation) === "viewer" && !deprecation && !dependsOnKey;
}
