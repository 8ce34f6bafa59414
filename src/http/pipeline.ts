import { ServiceError } from "../errors.ts";
import { andFinally, andThen, type Maybe } from "../platform/maybe.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./browser-headers.ts";
import { answerFromCache, askVersion, hasActorAndVersion, respondFromCache } from "./cache-lookup.ts";
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
import { runSteps } from "./steps.ts";

/** Steps of a request that the concurrency limit has admitted, in order of error precedence. */
const ADMITTED = [authenticate, awaitVersion, respondFromCache, handleAuthenticated];

/**
 * Handles a request after routing. A response from the cache that needs no wait bypasses the concurrency limit.
 *
 * @throws ServiceError of the first step that fails
 */
export function handleRequest(handling: Handling): Responding {
  announceDeprecation(handling.context, handling.endpoint?.operation);
  return answerPreflight(handling) ?? answerFromCache(handling) ?? handleAdmitted(handling);
}

function answerPreflight({ pipeline, context }: Handling) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(context.request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

function handleAdmitted(handling: Handling): Responding {
  const slot = handling.pipeline.concurrency.acquire();
  handling.slot = slot;
  // Nearly always both are cached: then only the last step is left.
  return andFinally(
    () => (hasActorAndVersion(handling) ? handleAuthenticated(handling) : runSteps(ADMITTED, handling)),
    slot.release,
  );
}

/** Authenticates the request after a miss in the key cache, and then asks for the data's version. */
function authenticate(handling: Handling) {
  const { context, endpoint } = handling;
  const { authenticator } = handling.pipeline;
  if (context.actor !== undefined) return undefined;
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(context);
  return andThen(optional ?? authenticator.authenticate(context), (actor) => {
    context.actor = actor;
    handling.asked = askVersion(handling);
    return undefined;
  });
}

/** Waits for the data's version, in a step of its own: of concurrent requests, the second finds the first's page cached. */
function awaitVersion(handling: Handling): Maybe<undefined> {
  return andThen(handling.asked, (version) => {
    handling.version = version;
    return undefined;
  });
}

/** Resolves path and method (404, 405), counts the request (429), and simulates an error if asked to. */
function handleAuthenticated(handling: Handling): Responding {
  const { pipeline, context, route, endpoint, pathTexts, slot, version } = handling;
  const { actor } = context;
  if (actor === undefined || slot === undefined) throw new TypeError("The steps before have set both.");
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
  const call = { pipeline, context, slot, actor, endpoint, version, charge };
  if (!asksForSimulation(context.request)) return handleCall(call, pathValues);
  return (pipeline.simulate ?? refuseSimulation)(call, () => handleCall(call, pathValues));
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
