import type { AccountActor, AnonymousActor } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import { answerQuery, type QueryCall } from "./answer-query.ts";
import { authenticate } from "./authenticate.ts";
import type { Authenticator } from "./authenticator.ts";
import { type BodyLimits, readBody, readBytes } from "./body.ts";
import { awaitVersion, type CacheableRequest, respondAtOnce, respondFromCache } from "./cached-response.ts";
import { commit } from "./commit.ts";
import type { ConcurrencyLimit, Slot } from "./concurrency-limit.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { announceDeprecation, refuseAfterSunset } from "./deprecation.ts";
import { allowAt, methodNotAllowed, type Route } from "./endpoint.ts";
import type { EventStreams } from "./event-streams.ts";
import { isFollowing, openStream, queryOf } from "./follow.ts";
import { type Idempotency, readIdempotencyKey } from "./idempotency/idempotency.ts";
import { readIfMatch } from "./if-match.ts";
import { type PathTexts, readPathParameters } from "./path-parameters.ts";
import { readQuery } from "./query.ts";
import { chargeOf, type RateLimiter } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";
import { requireAccess } from "./require-access.ts";
import { NO_STORE, type ResponseData, withTagOfChange } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { runVerb, verbContext } from "./run-verb.ts";
import { asksForSimulation, refuseSimulation, type Simulate } from "./simulate.ts";
import { type Responding, runSteps, runStepsUntil, type Step } from "./steps.ts";

/** What a group of endpoints is served with: one store, an authenticator and limits. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /** Absent where responses must not be stored: they hold secrets that are shown once. */
  readonly idempotency?: Idempotency;
  /** Both are shared by all services of one process. */
  readonly concurrency: ConcurrencyLimit;
  readonly streams: EventStreams;
  /** Absent where no rate limit is set. */
  readonly limitRate?: RateLimiter;
  /** Absent where responses must not be cached. */
  readonly responseCache?: ResponseCache;
  /** Of staging. */
  readonly rehearsal?: { readonly storeId: string };
  /** Left out, requests for a simulation are refused. */
  readonly simulate?: Simulate;
  readonly bodyLimits: BodyLimits;
  readonly addressOf: (context: RequestContext) => string;
  readonly randomBytes: RandomBytes;
}

/** A request in the pipeline. */
interface Handling extends CacheableRequest {
  readonly pipeline: Pipeline;
  /** Undefined where no route matches the path. */
  readonly route: Route | undefined;
  readonly pathTexts: PathTexts;
  slot?: Slot | undefined;
}

/** A request of a known actor for an endpoint. */
interface Call extends QueryCall {
  readonly pipeline: Pipeline;
  readonly slot: Slot;
  readonly actor: AccountActor | AnonymousActor;
}

type InputValues = Readonly<Record<string, unknown>>;

/** The steps of a request in the order in which they may refuse. A cached response that waits for nothing needs no slot. */
const FIRST: readonly Step<Handling>[] = [answerPreflight, respondAtOnce, handleAdmitted];
const ADMITTED: readonly Step<Handling>[] = [
  authenticate,
  awaitVersion,
  respondFromCache,
  handleAuthenticated,
];

/**
 * One request, after routing.
 *
 * @throws ServiceError of the first step that fails
 */
export function handleRequest(handling: Handling): Responding {
  announceDeprecation(handling.context, handling.endpoint?.operation);
  return runSteps(FIRST, handling);
}

function answerPreflight({ pipeline, context }: Handling) {
  if (!pipeline.authenticator.allowsAnyOrigin || !isPreflight(context.request)) return undefined;
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

function handleAdmitted(handling: Handling): Responding {
  const slot = handling.pipeline.concurrency.acquire();
  handling.slot = slot;
  return runStepsUntil(ADMITTED, handling, slot.release);
}

function handleAuthenticated(handling: Handling): Responding {
  const { pipeline, context, route, endpoint, pathTexts, slot, version } = handling;
  const { actor } = context;
  if (actor === undefined || slot === undefined) throw new TypeError("The steps before have set both.");
  if (route === undefined) throw new ServiceError("not_found", `There is nothing at ${context.path}.`);
  const pathValues = readPathParameters(route, pathTexts);
  if (context.method === "OPTIONS")
    return { status: 204, headers: { Allow: allowAt(route, context.contractNow) }, body: null };
  if (endpoint === undefined) throw methodNotAllowed(route, context.request.method, context);
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
  return (isStream ? openStream : operation.method === "GET" ? answerQuery : handleCommand)(call, values);
}

async function handleCommand(call: Call, values: InputValues): Promise<ResponseData> {
  const { pipeline, context, slot, endpoint } = call;
  const idempotencyKey = readIdempotencyKey(context.request);
  const precondition = endpoint.operation.conditional && readIfMatch(context.request);
  const { body } = endpoint.operation;
  // A body that the operation does not declare is read too: it counts against the limit and for idempotency.
  const { bodyLimits } = pipeline;
  const { value, json, bytes } =
    body === undefined
      ? { value: undefined, json: undefined, bytes: await readBytes(context.request, bodyLimits, slot) }
      : await readBody(context.request, body, bodyLimits, slot);
  await pipeline.authenticator.revalidate(context, endpoint.operation);
  if (endpoint.prepare !== undefined) await endpoint.prepare();
  const input = body === undefined ? values : { ...values, body: value };
  const work = (query: Query, write?: Database["write"]) => {
    const met = precondition?.(() => endpoint.readCurrent?.(verbContext(call, query), input));
    return met?.then(() => runVerb(call, input, query, write)) ?? runVerb(call, input, query, write);
  };
  const { database, idempotency } = pipeline;
  // A precondition and the change are one transaction.
  const transaction = precondition === undefined ? endpoint.transaction : undefined;
  const response = await commit(
    { database, idempotency, context, actor: call.actor, transaction, idempotencyKey, body: { bytes, json } },
    work,
  );
  const following = endpoint.onCommitted?.();
  if (following !== undefined) await following;
  return withTagOfChange(endpoint.operation, response);
}
