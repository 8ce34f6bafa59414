import type { KeyActor } from "../context.ts";
import { leastRole, type Operation } from "../contract/operation.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import type { Endpoint } from "./endpoint.ts";
import { isFollowing } from "./follow.ts";
import type { RequestContext } from "./request-context.ts";
import { applyIfNoneMatch } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { asksForSimulation } from "./simulate.ts";
import type { Responding } from "./steps.ts";

/** What the cache has to know of a request in the pipeline. */
export interface CacheableRequest {
  readonly pipeline: {
    readonly authenticator: { authenticateFromCache?(context: RequestContext): KeyActor | undefined };
    readonly responseCache?: ResponseCache;
    readonly limitRate?: unknown;
  };
  readonly context: RequestContext;
  /** Undefined where the route does not have the method. */
  readonly endpoint: Endpoint | undefined;
  /** The version of the data, where it was asked for. */
  asked?: Maybe<DataVersion | undefined>;
  version?: DataVersion | undefined;
}

/** The cached response for a cached key, where the version is known in the same turn. */
export function respondAtOnce(call: CacheableRequest): Responding | undefined {
  const { pipeline, context } = call;
  context.actor = pipeline.authenticator.authenticateFromCache?.(context);
  call.asked = askVersion(call);
  return call.asked instanceof Promise ? undefined : findCachedResponse(call, call.asked);
}

/** Waits for the version. A step of its own: of concurrent requests, the first one's page is in the cache when the next one looks. */
export function awaitVersion(call: CacheableRequest): Maybe<undefined> {
  return andThen(call.asked, (version) => {
    call.version = version;
    return undefined;
  });
}

/** The cached response at the version that is known by now. */
export function respondFromCache(call: CacheableRequest): Responding | undefined {
  return findCachedResponse(call, call.version);
}

/**
 * The version of the data that a response is cached with; undefined where it is not to be cached. Asked before the data is
 * read: what is committed meanwhile makes the response outdated.
 */
export function askVersion({
  pipeline,
  context,
  endpoint,
}: CacheableRequest): Maybe<DataVersion | undefined> {
  if (endpoint === undefined || context.actor === undefined) return undefined;
  if (isFollowing(endpoint, context.request) || asksForSimulation(context.request)) return undefined;
  // A rate limit counts the requests that a cache would answer.
  if (pipeline.limitRate !== undefined || !isCacheable(endpoint.operation)) return undefined;
  return pipeline.responseCache?.version(context.request.url, context.now);
}

/** What is cached is a response to this very address that passed every step, for any actor that may read. */
function findCachedResponse(
  { pipeline, context, endpoint }: CacheableRequest,
  version: DataVersion | undefined,
): Responding | undefined {
  if (version === undefined) return undefined;
  const cached = pipeline.responseCache?.get(context.request.url, version);
  if (cached === undefined) return undefined;
  context.operation = endpoint?.operation;
  return andThen(cached, (response) => applyIfNoneMatch(response, context.request));
}

/** Whether a response depends on the address alone: not on the date, as a deprecated one does, nor on the account's role. */
function isCacheable(operation: Operation): boolean {
  const { method, deprecation } = operation;
  return method === "GET" && leastRole(operation) === "viewer" && deprecation === undefined;
}
