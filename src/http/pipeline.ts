import type { AccountActor, AnonymousActor } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { andFinally, andThen, type Maybe } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, DataVersion, Query } from "../storage/database.ts";
import type { Authenticator } from "./authenticator.ts";
import { type BodyLimits, readBody, readBytes } from "./body.ts";
import { askVersion, findCachedResponse } from "./cached-response.ts";
import { commit } from "./commit.ts";
import type { ConcurrencyLimit, Slot } from "./concurrency-limit.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { announceDeprecation, refuseAfterSunset } from "./deprecation.ts";
import { allowAt, type Endpoint, methodNotAllowed, type Route } from "./endpoint.ts";
import type { EventStreams } from "./event-streams.ts";
import { isFollowing, openStream, queryOf } from "./follow.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import { readIdempotencyKey } from "./idempotency/idempotency-key.ts";
import { readIfMatch } from "./if-match.ts";
import { type PathTexts, readPathParameters } from "./path-parameters.ts";
import { readQuery } from "./query.ts";
import { chargeOf, type RateLimiter, refundUnchanged } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";
import { requireAccess } from "./require-access.ts";
import {
  applyIfNoneMatch,
  encodeResponse,
  type FileResponseData,
  NO_STORE,
  type ResponseData,
  withEntityTag,
  withTagOfChange,
} from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { asksForSimulation, refuseSimulation, type Simulate } from "./simulate.ts";
import { verbContext } from "./verb-context.ts";

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
interface Handling {
  readonly pipeline: Pipeline;
  readonly context: RequestContext;
  /** Undefined where no route matches the path. */
  readonly route: Route | undefined;
  /** Undefined where the route does not have the method. */
  readonly endpoint: Endpoint | undefined;
  readonly pathTexts: PathTexts;
}

/** A request of a known actor for an endpoint. */
interface Call {
  readonly pipeline: Pipeline;
  readonly context: RequestContext;
  readonly slot: Slot;
  readonly actor: AccountActor | AnonymousActor;
  readonly endpoint: Endpoint;
  /** Of the data when the request arrived, or later; undefined where its response is not to be cached. */
  readonly version: DataVersion | undefined;
}

type InputValues = Readonly<Record<string, unknown>>;

/**
 * One request, after routing. The steps stand in the order in which they may refuse. A cached response that waits for
 * nothing needs no slot; every other request has one until it has its response.
 *
 * @throws ServiceError of the first step that fails
 */
export function handleRequest(handling: Handling): Maybe<FileResponseData> {
  const { pipeline, context } = handling;
  announceDeprecation(context, handling.endpoint?.operation);
  if (pipeline.authenticator.allowsAnyOrigin && isPreflight(context.request))
    return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
  context.actor = pipeline.authenticator.authenticateFromCache?.(context);
  const version = askVersion(handling);
  const cached = version instanceof Promise ? undefined : findCachedResponse(handling, version);
  return cached ?? handleAdmitted(handling, version);
}

function handleAdmitted(handling: Handling, asked: Maybe<Call["version"]>): Maybe<FileResponseData> {
  const { pipeline, context } = handling;
  const slot = pipeline.concurrency.acquire();
  const handle = (actor: Call["actor"], version: Call["version"]) =>
    findCachedResponse(handling, version) ?? handleAuthenticated(handling, slot, actor, version);
  return andFinally(() => {
    const { actor } = context;
    if (actor !== undefined) {
      return asked instanceof Promise
        ? asked.then((version) => handle(actor, version))
        : handleAuthenticated(handling, slot, actor, asked);
    }
    return andThen(authenticate(handling), (found) => {
      context.actor = found;
      return andThen(askVersion(handling), (version) => handle(found, version));
    });
  }, slot.release);
}

function handleAuthenticated(
  { pipeline, context, route, endpoint, pathTexts }: Handling,
  slot: Slot,
  actor: Call["actor"],
  version: Call["version"],
): Maybe<FileResponseData> {
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
  const call = { pipeline, context, slot, actor, endpoint, version };
  const handled = asksForSimulation(context.request)
    ? (pipeline.simulate ?? refuseSimulation)(call, () => handleCounted(call, pathValues))
    : handleCounted(call, pathValues);
  return charge === undefined ? handled : refundUnchanged(charge, context.headers, handled);
}

function handleCounted(call: Call, pathValues: InputValues): Maybe<FileResponseData> {
  const { context, endpoint } = call;
  const { operation } = endpoint;
  requireAccess(operation, call.actor);
  refuseAfterSunset(operation.deprecation, context.contractNow);
  const isStream = isFollowing(endpoint, context.request);
  const values = { ...pathValues, ...readQuery(context.search, queryOf(operation, isStream)) };
  return (isStream ? openStream : operation.method === "GET" ? handleQuery : handleCommand)(call, values);
}

function handleQuery(call: Call, values: InputValues): Maybe<ResponseData> {
  const { pipeline, context, endpoint, version } = call;
  const { database, responseCache } = pipeline;
  const read = version === undefined ? undefined : database.readAt?.(version);
  const found = andThen(runVerb(call, values, read ?? database.read), (response) =>
    withEntityTag(response, endpoint.operation, values),
  );
  if (version !== undefined) responseCache?.set(context.request.url, context.now, version, found);
  return andThen(found, (response) => applyIfNoneMatch(response, context.request));
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
  const work = (query: Query, write?: Database["write"]) =>
    andThen(
      precondition?.(() => endpoint.readCurrent?.(verbContext(call, query), input)),
      () => runVerb(call, input, query, write),
    );
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

function runVerb(
  call: Call,
  input: InputValues,
  query: Query,
  write?: Database["write"],
): Maybe<ResponseData> {
  const { context, endpoint } = call;
  return andThen(endpoint.run(verbContext(call, query, write), input), (result) => {
    const { body, headers } = endpoint.toResponse?.(result) ?? { body: result, headers: undefined };
    const response = encodeResponse(endpoint.operation, body, context);
    return headers === undefined ? response : { ...response, headers: { ...response.headers, ...headers } };
  });
}

function authenticate({ pipeline: { authenticator }, context, endpoint }: Handling) {
  if (endpoint?.allowAnonymous && authenticator.authenticateOptional !== undefined)
    return authenticator.authenticateOptional(context);
  return authenticator.authenticate(context);
}
