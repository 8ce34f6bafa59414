import { keyIdOf } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { andFinally, andThen } from "../platform/maybe.ts";
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
  announceDeprecation(handling.context, handling.endpoint?.operation);
  return answerPreflight(handling) ?? answerFromCache(handling) ?? authenticate(handling);
}

function answerPreflight({ pipeline, context }: Handling) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(context.request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

/** Authenticates the request after a miss in the key cache, and then asks for the data's version. */
function authenticate(handling: Handling): Responding {
  const { context, endpoint } = handling;
  const { authenticator } = handling.pipeline;
  if (context.actor !== undefined) return handleAuthenticated(handling, context.actor);
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(context);
  return andThen(optional ?? authenticator.authenticate(context), (actor) => {
    context.actor = actor;
    handling.asked = askVersion(handling);
    return handleAuthenticated(handling, actor);
  });
}

/** Resolves path and method (404, 405), and counts the request (429, 503). Until then it holds nothing that others wait for. */
function handleAuthenticated(handling: Handling, actor: Call["actor"]): Responding {
  const { pipeline, context, route, endpoint, pathTexts } = handling;
  if (route === undefined) throw new ServiceError("not_found", `There is nothing at ${context.path}.`);
  const pathValues = readPathParameters(route.parameters, pathTexts);
  if (context.method === "OPTIONS")
    return { status: 204, headers: { Allow: allowAt(route, context.contractNow) }, body: null };
  if (endpoint === undefined) throw methodNotAllowed(context, allowAt(route, context.contractNow));
  const { operation } = endpoint;
  context.operation = operation;
  const charge = chargeOf(pipeline.limitRate, actor);
  if (charge !== undefined) Object.assign(context.headers, charge.headers);
  // A group without idempotency records answers with secrets.
  if (pipeline.idempotency === undefined || operation.success.secret !== undefined)
    Object.assign(context.headers, NO_STORE);
  if (isFollowing(endpoint, context.request)) pipeline.streams.requireRoom(keyIdOf(actor));
  const slot = pipeline.concurrency.acquire(keyIdOf(actor));
  const call: Call = { pipeline, context, slot, actor, endpoint, version: handling.version, charge };
  return andFinally(() => handleCounted(handling, call, pathValues), slot.release);
}

/** Simulates an error if asked to, and waits for the data's version: of concurrent requests, the second finds the first's page. */
function handleCounted(handling: Handling, call: Call, pathValues: InputValues): Responding {
  const { pipeline, context, asked, version: known } = handling;
  if (asksForSimulation(context.request))
    return (pipeline.simulate ?? refuseSimulation)(call, () => handleCall(call, pathValues));
  // `answerFromCache` has looked for a page of a version that it knew at once.
  if (asked === undefined || known !== undefined) return handleCall(call, pathValues);
  return andThen(asked, (version) => {
    handling.version = version;
    return respondFromCache(handling) ?? handleCall({ ...call, version }, pathValues);
  });
}

/** Checks access (403), removal date (410) and query (400), then runs the operation. */
function handleCall(call: Call, pathValues: InputValues): Responding {
  const { context, endpoint } = call;
  const { operation } = endpoint;
  requireAccess(operation, call.actor);
  refuseAfterSunset(operation.deprecation, context.contractNow);
  const isStream = isFollowing(endpoint, context.request);
  const values = { ...pathValues, ...readQuery(context.search, queryOf(operation, isStream)) };
  if (isStream) return openStream(call, values);
  return operation.method === "GET" ? answerQuery(call, values) : answerCommand(call, values);
}
