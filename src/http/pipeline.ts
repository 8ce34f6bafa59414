import type { AccountActor, Actor, AnonymousActor, Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import type { Authenticator } from "./authenticator.ts";
import { readBody, readBytes } from "./body.ts";
import type { ConcurrencyLimit, Slot } from "./concurrency-limit.ts";
import { isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { deprecationHeaders, refuseAfterSunset } from "./deprecation.ts";
import type { Endpoint, Route } from "./endpoint.ts";
import { fingerprintOf, type Idempotency } from "./idempotency/idempotency.ts";
import { readIdempotencyKey } from "./idempotency/idempotency-key.ts";
import type { IdempotentRequest } from "./idempotency/record-store.ts";
import { readQuery } from "./query.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { Addresses, RequestContext } from "./request-context.ts";
import { encodeResponse, type ResponseData, withEntityTag } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";

/** What the pipeline stands on: one service's data, authenticator and limits. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /** Absent where answers must not be kept: they hold what is shown once. */
  readonly idempotency?: Idempotency;
  /** The same for all that one process serves. */
  readonly concurrency: ConcurrencyLimit;
  /** Absent where requests have no limit. */
  readonly limitRate?: RateLimiter;
  /** Absent where answers cannot be kept. */
  readonly responseCache?: ResponseCache;
  readonly maxBodyBytes: number;
  readonly randomBytes: RandomBytes;
}

/** A request that is being worked on. */
interface Journey {
  readonly pipeline: Pipeline;
  readonly exchange: RequestContext;
  readonly addresses: Addresses;
  readonly place: Slot;
}

/** A request that has been let in, with the endpoint it asks for. */
interface Call extends Journey {
  readonly actor: AccountActor | AnonymousActor;
  readonly endpoint: Endpoint;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * How every request under a base address travels. The steps stand in the order in which they may refuse; a path
 * that nobody serves goes the same way, without a route.
 *
 * @throws ServiceError whatever the first failing step refuses with
 */
export async function travel(
  pipeline: Pipeline,
  exchange: RequestContext,
  addresses: Addresses,
  route: Route | undefined,
  pathTexts: Readonly<Record<string, string>>,
): Promise<ResponseData> {
  announceDeprecation(exchange, route, addresses);
  if (pipeline.authenticator.allowsAnyOrigin && isPreflight(exchange.request))
    return { status: 204, headers: PREFLIGHT_HEADERS, body: null };

  const place = pipeline.concurrency.acquire();
  try {
    return await travelInside({ pipeline, exchange, addresses, place }, route, pathTexts);
  } finally {
    place.release();
  }
}

async function travelInside(
  journey: Journey,
  route: Route | undefined,
  pathTexts: Readonly<Record<string, string>>,
): Promise<ResponseData> {
  const { pipeline, exchange, addresses } = journey;
  const { authenticator } = pipeline;
  const allowAnonymous = route?.endpoints.get(exchange.method)?.allowAnonymous;
  const actor = await (allowAnonymous && authenticator.authenticateOptional
    ? authenticator.authenticateOptional
    : authenticator.authenticate)(exchange, addresses);
  exchange.actor = actor;
  if (route === undefined) throw new ServiceError("not_found", `There is nothing at ${exchange.path}.`);
  const pathValues = readPath(route, pathTexts);
  if (exchange.method === "OPTIONS") return { status: 204, headers: { Allow: route.allow }, body: null };
  const endpoint = requireEndpoint(route, exchange);
  const { operation } = endpoint;
  exchange.operation = operation;
  if (pipeline.limitRate !== undefined) Object.assign(exchange.headers, limitRate(pipeline.limitRate, actor));
  requireAccess(endpoint, actor);
  refuseAfterSunset(operation.deprecation, exchange.now);
  const query = readQuery(exchange.search, operation.query);

  const call = { ...journey, actor, endpoint };
  const values = { ...pathValues, ...query };
  return operation.method === "GET" ? answerQuestion(call, values) : makeChange(call, values);
}

async function answerQuestion(call: Call, values: Values): Promise<ResponseData> {
  const { pipeline, exchange, endpoint } = call;
  const isKeepable = pipeline.limitRate === undefined && endpoint.operation.deprecation === undefined;
  if (isKeepable) exchange.version = pipeline.responseCache?.version();
  const answer = await runVerb(call, values, pipeline.database.read);
  return withEntityTag(answer, exchange.request);
}

async function makeChange(call: Call, values: Values): Promise<ResponseData> {
  const { pipeline, exchange, place, endpoint } = call;
  const idempotencyKey = readIdempotencyKey(exchange.request);
  const { body } = endpoint.operation;
  // A body that nobody asked for is read all the same: it has a limit, and it tells one idempotent request from another.
  const { maxBodyBytes } = pipeline;
  const { value, bytes } =
    body === undefined
      ? { value: undefined, bytes: await readBytes(exchange.request, maxBodyBytes, place) }
      : await readBody(exchange.request, body, maxBodyBytes, place);
  await pipeline.authenticator.revalidate?.(call.actor, exchange.now);
  const input = body === undefined ? values : { ...values, body: value };
  const work = (query: Query) => runVerb(call, input, query);
  const answer = await commit(call, idempotencyKey, bytes, work);
  endpoint.onCommitted?.();
  return answer;
}

function commit(
  call: Call,
  idempotencyKey: string | undefined,
  body: Uint8Array,
  work: (query: Query) => Promise<ResponseData>,
): Promise<ResponseData> {
  const { pipeline, exchange, endpoint, actor } = call;
  const { idempotency, database } = pipeline;
  if (idempotencyKey !== undefined && idempotency !== undefined && actor.kind !== "anonymous") {
    const attempt = attemptOf(actor, exchange, idempotencyKey, body);
    return endpoint.transaction === "single-insert"
      ? idempotency.insertIdempotent(attempt, exchange.now, work)
      : idempotency.run(attempt, exchange.now, work);
  }
  return endpoint.transaction === undefined ? database.write(work) : work(database.run);
}

async function runVerb(call: Call, input: Values, query: Query): Promise<ResponseData> {
  const { pipeline, exchange, addresses, actor, endpoint } = call;
  const trace = exchange.trace?.beginVerb(endpoint.operation.id);
  const ctx: Context = {
    query: trace?.traced(query) ?? query,
    actor,
    now: exchange.now,
    randomBytes: pipeline.randomBytes,
  };
  const running = endpoint.run(ctx, input);
  const result = await (trace === undefined ? running : running.finally(trace.end));
  if (endpoint.toResponse === undefined)
    return encodeResponse(endpoint.operation, result, exchange.search, addresses.base);
  const { body, headers } = endpoint.toResponse(result);
  const answer = encodeResponse(endpoint.operation, body, exchange.search, addresses.base);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function announceDeprecation(exchange: RequestContext, route: Route | undefined, addresses: Addresses): void {
  const operation = route?.endpoints.get(exchange.method)?.operation;
  if (operation?.deprecation === undefined) return;
  Object.assign(exchange.headers, deprecationHeaders(operation.deprecation, operation.id, addresses));
}

function readPath({ parameters }: Route, texts: Readonly<Record<string, string>>): Values {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = parameter.parse(texts[name] ?? "");
    if (value === undefined) throw new ServiceError("not_found", `${name} must be ${parameter.expected}.`);
    values[name] = value;
  }
  return values;
}

function requireEndpoint({ endpoints, allow }: Route, { method, request, path }: RequestContext): Endpoint {
  const endpoint = endpoints.get(method);
  if (endpoint !== undefined) return endpoint;
  throw new ServiceError("method_not_allowed", `${request.method} is not allowed on ${path}.`, {
    headers: { Allow: allow },
  });
}

/** A key has its own allowance, and so has a person; visitors are held back where they try passwords. */
function limitRate(limiter: RateLimiter, actor: AccountActor | AnonymousActor) {
  if (actor.kind === "anonymous") return {};
  return limiter(actor.kind === "key" ? actor.keyId : `account ${actor.accountId}`);
}

function requireAccess({ operation }: Endpoint, actor: Actor): void {
  if (operation.access === "read" || actor.kind !== "key" || actor.access === "read-write") return;
  throw new ServiceError("forbidden", `This API key may only read; ${operation.id} needs a read-write key.`, {
    headers: {
      "WWW-Authenticate": 'Bearer realm="petstore", error="insufficient_scope", scope="read-write"',
    },
  });
}

function attemptOf(
  { accountId, environment }: AccountActor,
  { path }: RequestContext,
  key: string,
  body: Uint8Array,
): IdempotentRequest {
  return { accountId, environment, path, key, fingerprint: fingerprintOf(body) };
}
