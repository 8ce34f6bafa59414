import { keyIdOf } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { andFinally, andThen } from "../platform/maybe.ts";
import type { DataVersion } from "../storage/database.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./browser-headers.ts";
import { answerFromCache, askVersion, respondFromCache } from "./cache-lookup.ts";
import type { Call, Handling } from "./call.ts";
import { announceDeprecation, refuseAfterSunset } from "./deprecation.ts";
import { allowAt, type InputValues, methodNotAllowed } from "./endpoint.ts";
import { isFollowing, openStream, queryOf } from "./follow.ts";
import { readPathParameters, readQuery } from "./parameters.ts";
import { chargeOf } from "./rate-limit.ts";
import { requireAccess } from "./require-access.ts";
import { NO_STORE, type Responding } from "./response.ts";
import { answerCommand, answerQuery } from "./run-verb.ts";
import { asksForSimulation, refuseSimulation } from "./simulation/petstore-simulate.ts";

/**
 * Handles a request after routing, in order of error precedence. A response from the cache that needs no wait bypasses the
 * concurrency limit.
 *
 * @throws ServiceError of the first check that fails
 */
export function handleRequest(handling: Handling): Responding {
  announceDeprecation(handling, handling.endpoint?.operation);
  return answerPreflight(handling) ?? answerFromCache(handling) ?? authenticate(handling);
}

function answerPreflight({ pipeline, request }: Handling) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

/** Authenticates the request after a miss in the key cache, and then asks for the data's version. */
function authenticate(handling: Handling): Responding {
  const { actor, endpoint, pipeline } = handling;
  const { authenticator } = pipeline;
  if (actor !== undefined) return handleAuthenticated(handling, actor);
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(handling);
  return andThen(optional ?? authenticator.authenticate(handling), (actor) => {
    handling.actor = actor;
    handling.version = askVersion(handling);
    return handleAuthenticated(handling, actor);
  });
}

/** Resolves path and method (404, 405), and counts the request (429, 503). Until then it holds nothing that others wait for. */
function handleAuthenticated(handling: Handling, actor: Call["actor"]): Responding {
  const { pipeline, request, headers, route, endpoint, contractNow } = handling;
  if (route === undefined) throw new ServiceError("not_found", `There is nothing at ${handling.path}.`);
  const pathValues = readPathParameters(route.parameters, handling.pathTexts);
  if (handling.method === "OPTIONS")
    return { status: 204, headers: { Allow: allowAt(route, contractNow) }, body: null };
  if (endpoint === undefined) throw methodNotAllowed(handling, allowAt(route, contractNow));
  const { operation } = endpoint;
  handling.operation = operation;
  const charge = chargeOf(pipeline.limitRate, actor);
  if (charge !== undefined) Object.assign(headers, charge.headers);
  // A group without idempotency records answers with secrets.
  if (pipeline.idempotency === undefined || operation.success.secret !== undefined)
    Object.assign(headers, NO_STORE);
  if (isFollowing(endpoint, request)) pipeline.streams.requireRoom(keyIdOf(actor));
  const call: Call = Object.assign(handling, { actor, endpoint, charge });
  pipeline.concurrency.acquire(call);
  return andFinally(
    () => handleCounted(call, pathValues),
    () => pipeline.concurrency.release(call),
  );
}

/** Simulates an error if asked to, and waits for the data's version: of concurrent requests, the second finds the first's page. */
function handleCounted(call: Call, pathValues: InputValues): Responding {
  const { pipeline, request } = call;
  if (asksForSimulation(request))
    return (pipeline.simulate ?? refuseSimulation)(call, () => handleCall(call, pathValues));
  return andThen(
    call.version,
    (version) => respondFromCache(call, version) ?? handleCall(call, pathValues, version),
  );
}

/** Checks access (403), removal date (410) and query (400), then runs the operation. */
function handleCall(call: Call, pathValues: InputValues, version?: DataVersion): Responding {
  const { endpoint, actor, request } = call;
  const { operation } = endpoint;
  requireAccess(operation, actor);
  refuseAfterSunset(operation.deprecation, call.contractNow);
  const isStream = isFollowing(endpoint, request);
  const values = { ...pathValues, ...readQuery(call.search, queryOf(operation, isStream)) };
  if (isStream) return openStream(call, values);
  return operation.method === "GET" ? answerQuery(call, values, version) : answerCommand(call, values);
}
