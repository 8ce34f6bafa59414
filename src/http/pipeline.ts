import { keyIdOf } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { andThenFor } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./browser-headers.ts";
import { answerFromCache, askVersion, respondFromCache } from "./cache-lookup.ts";
import { type Call, requireActor, requireEndpoint } from "./call.ts";
import { announceDeprecation, refuseAfterSunset } from "./deprecation.ts";
import { allowAt, methodNotAllowed } from "./endpoint.ts";
import { isFollowing, openStream } from "./follow.ts";
import { readPathParameters } from "./parameters.ts";
import { chargeOf } from "./rate-limit.ts";
import { requireAccess } from "./require-access.ts";
import { NO_STORE, type Responding } from "./response.ts";
import { answerCommand, answerQuery } from "./run-verb.ts";
import { asksForSimulation, refuseSimulation } from "./simulation/petstore-simulate.ts";

/**
 * Handles a request after routing. If several errors apply, the order of the checks decides which one is reported. A response
 * that comes from the cache at once does not count against the concurrency limit.
 *
 * @throws ServiceError of the first check that fails
 */
export function handleRequest(call: Call): Responding {
  announceDeprecation(call, call.endpoint?.operation);
  return answerPreflight(call) ?? answerFromCache(call) ?? authenticate(call);
}

function answerPreflight({ pipeline, request }: Call) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

/** Authenticates a request whose key was not in the cache, and then reads the version of the data. */
function authenticate(call: Call): Responding {
  const { actor, endpoint, pipeline } = call;
  const { authenticator } = pipeline;
  if (actor !== undefined) return resolve(call);
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(call);
  return andThenFor(optional ?? authenticator.authenticate(call), call, resolveFor);
}

function resolveFor(actor: Call["actor"], call: Call): Responding {
  call.actor = actor;
  call.version = askVersion(call);
  return resolve(call);
}

/** Checks the path and the method (404, 405), and counts the request against the limits (429, 503). */
function resolve(call: Call): Responding {
  const { pipeline, request, headers, route, endpoint, contractNow } = call;
  const actor = requireActor(call);
  if (route === undefined) throw new ServiceError("not_found", `There is nothing at ${call.path}.`);
  const pathValues = readPathParameters(route.parameters, call.pathTexts);
  if (call.method === "OPTIONS")
    return { status: 204, headers: { Allow: allowAt(route, contractNow) }, body: null };
  if (endpoint === undefined) throw methodNotAllowed(call, allowAt(route, contractNow));
  const { operation } = endpoint;
  call.operation = operation;
  call.values = pathValues;
  call.charge = chargeOf(pipeline.limitRate, actor);
  if (call.charge !== undefined) Object.assign(headers, call.charge.headers);
  // If a group of endpoints offers no idempotency keys, its responses contain secrets, so clients must not cache them.
  if (pipeline.idempotency === undefined || operation.success.secret !== undefined)
    Object.assign(headers, NO_STORE);
  if (isFollowing(endpoint, request)) pipeline.streams.requireRoom(keyIdOf(actor));
  pipeline.concurrency.requireRoom(call);
  const responding = answer(call);
  return responding instanceof Promise ? pipeline.concurrency.hold(call, responding) : responding;
}

/**
 * Simulates an error if the request asks for one. Otherwise waits until the version of the data is known. Concurrent requests share
 * one read of the version.
 */
function answer(call: Call): Responding {
  const { pipeline, request, version } = call;
  if (asksForSimulation(request)) return (pipeline.simulate ?? refuseSimulation)(call, () => execute(call));
  return version === undefined ? execute(call) : andThenFor(version, call, answerAt);
}

function answerAt(version: DataVersion | undefined, call: Call): Responding {
  return respondFromCache(call, version) ?? execute(call, version);
}

/** Checks the sender's access (403), the operation's removal date (410) and the query (400), and then runs the operation. */
function execute(call: Call, version?: DataVersion): Responding {
  const { request } = call;
  const endpoint = requireEndpoint(call);
  const { operation, plan } = endpoint;
  requireAccess(operation, requireActor(call));
  refuseAfterSunset(operation.deprecation, call.contractNow);
  const isStream = isFollowing(endpoint, request);
  const readQuery = isStream ? plan.readStreamQuery : plan.readQuery;
  call.values = readQuery(call.search, call.values);
  if (isStream) return openStream(call);
  return operation.method === "GET" ? answerQuery(call, version) : answerCommand(call);
}
