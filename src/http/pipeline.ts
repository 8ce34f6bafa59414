import { ServiceError } from "../errors.ts";
import { andFinally, andThen, type Maybe } from "../platform/maybe.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./browser-headers.ts";
import { askVersion, awaitVersion, respondAtOnce, respondFromCache } from "./cached-response.ts";
import type { Call, Handling } from "./call.ts";
import { announceDeprecation, refuseAfterSunset } from "./deprecation.ts";
import { allowAt, type InputValues, methodNotAllowed } from "./endpoint.ts";
import { isFollowing, openStream, queryOf } from "./follow.ts";
import { readPathParameters, readQuery } from "./parameters.ts";
import { chargeOf } from "./rate-limit.ts";
import { requireAccess } from "./require-access.ts";
import { type FileResponseData, NO_STORE, type Responding } from "./response.ts";
import { answerCommand, answerQuery } from "./run-verb.ts";
import { asksForSimulation, refuseSimulation } from "./simulate.ts";

/** Yields the response where it has one; otherwise the next step continues. */
type Step = (handling: Handling) => Maybe<FileResponseData | undefined>;

/** The steps of a request in the order in which they may refuse. A cached response that waits for nothing needs no slot. */
const FIRST: readonly Step[] = [answerPreflight, respondAtOnce, handleAdmitted];
const ADMITTED: readonly Step[] = [authenticate, awaitVersion, respondFromCache, handleAuthenticated];

/**
 * One request, after routing.
 *
 * @throws ServiceError of the first step that fails
 */
export function handleRequest(handling: Handling): Responding {
  announceDeprecation(handling.context, handling.endpoint?.operation);
  return runSteps(FIRST, handling);
}

/**
 * Runs steps until one yields the response; the last one always does. Where none has to wait, as with an embedded database, all
 * run in the turn of the request and no promise is made.
 */
function runSteps(steps: readonly Step[], handling: Handling, first = 0): Responding {
  for (let index = first; index < steps.length; index++) {
    const response = steps[index]?.(handling);
    if (response instanceof Promise)
      return response.then((found) => found ?? runSteps(steps, handling, index + 1));
    if (response !== undefined) return response;
  }
  throw new TypeError("No step has a response.");
}

function answerPreflight({ pipeline, context }: Handling) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(context.request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

function handleAdmitted(handling: Handling): Responding {
  const slot = handling.pipeline.concurrency.acquire();
  handling.slot = slot;
  return andFinally(() => runSteps(ADMITTED, handling), slot.release);
}

/** Sets the actor, where the cache has not told it. */
function authenticate(handling: Handling): Maybe<undefined> {
  const { pipeline, context, endpoint } = handling;
  const { authenticator } = pipeline;
  if (context.actor !== undefined) return undefined;
  const optional = endpoint?.allowAnonymous && authenticator.authenticateOptional?.(context);
  return andThen(optional ?? authenticator.authenticate(context), (actor) => {
    context.actor = actor;
    handling.asked = askVersion(handling);
    return undefined;
  });
}

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
  if (pipeline.idempotency === undefined || operation.success.secret !== undefined)
    Object.assign(context.headers, NO_STORE);
  const call = { pipeline, context, slot, actor, endpoint, version, charge };
  if (!asksForSimulation(context.request)) return handleCounted(call, pathValues);
  return (pipeline.simulate ?? refuseSimulation)(call, () => handleCounted(call, pathValues));
}

function handleCounted(call: Call, pathValues: InputValues): Responding {
  const { context, endpoint } = call;
  const { operation } = endpoint;
  requireAccess(operation, call.actor);
  refuseAfterSunset(operation.deprecation, context.contractNow);
  const isStream = isFollowing(endpoint, context.request);
  const values = { ...pathValues, ...readQuery(context.search, queryOf(operation, isStream)) };
  return (isStream ? openStream : operation.method === "GET" ? answerQuery : answerCommand)(call, values);
}
