import { type Context, keyIdOf } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { unavailable } from "../errors.ts";
import { andThen, andThenFor, type Maybe } from "../platform/maybe.ts";
import {
  type Creation,
  type Database,
  type DataVersion,
  DuplicateError,
  type Query,
} from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { readBody } from "./body.ts";
import { type Call, requireActor, requireEndpoint } from "./call.ts";
import type { InputValues } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency/idempotency.ts";
import { answerLines, type ChangeRequest, type Lines } from "./lines.ts";
import { afterParsing, requireOpenConnection } from "./open-connection.ts";
import { applyIfNoneMatch, preconditionsIn } from "./preconditions.ts";
import {
  encodeResponse,
  type Responding,
  type ResponseData,
  withEntityTag,
  withTagOfChange,
} from "./response.ts";

const UNIQUE_ATTEMPTS_MAX = 40; // number of attempts to insert a row with a unique value, before the response is 503; an attempt fails only if another row had the same value and has just been removed

/** Answers a request that only reads. The response is put in the cache while it is still pending. */
export function answerQuery(call: Call, version: DataVersion | undefined): Responding {
  const { pipeline, request, now, values } = call;
  const { database, responseCache, concurrency } = pipeline;
  const query = (version !== undefined && database.versions.readAt?.(version)) || database.read;
  const found = isSearch(requireEndpoint(call).operation, values)
    ? concurrency.search(keyIdOf(call.actor), () => readTagged(call, query))
    : readTagged(call, query);
  if (version !== undefined) responseCache?.set(request.url, now, version, found);
  return andThenFor(found, call, unlessKnown);
}

function isSearch({ success: { searchParameters } }: Operation, values: InputValues): boolean {
  if (searchParameters === undefined) return false;
  return searchParameters.length === 0 || searchParameters.some((name) => values[name] !== undefined);
}

function readTagged(call: Call, query: Query): Maybe<ResponseData> {
  return andThenFor(runVerb(call, call.values, query), call, withEntityTag);
}

/** Replaces the response by a 304 if the client already has it. A 304 does not count against the rate limit. */
function unlessKnown(response: ResponseData, { request, headers, charge }: Call): ResponseData {
  const answered = applyIfNoneMatch(response, request);
  if (charge !== undefined && answered.status === 304) Object.assign(headers, charge.refund());
  return answered;
}

/** Answers a request that may change something. */
export async function answerCommand(call: Call): Promise<ResponseData> {
  const { pipeline, request, values } = call;
  const { operation, commit, prepare, run, onCommitted } = requireEndpoint(call);
  const { headers } = request;
  const idempotencyKey = readIdempotencyKey(request.method, headers);
  await afterParsing();
  // The body is awaited only if it is still arriving, because awaiting a value that is already there delays the request.
  const reading = readBody(call, operation.body);
  const body = reading instanceof Promise ? await reading : reading;
  const checking = pipeline.authenticator.revalidate(call, operation);
  if (checking instanceof Promise) await checking;
  if (prepare !== undefined) await prepare();
  const input = body === undefined ? values : { ...values, body: body.value };
  // The cast is safe, because the verb of an endpoint with `commit: "lines"` always returns `Lines`.
  if (commit === "lines")
    return answerLines(call, run(verbContext(call, pipeline.database.read), input) as Lines, commitLine);
  const response = await commitChange(call, input, { headers, idempotencyKey, json: body?.json });
  const following = onCommitted?.();
  if (following !== undefined) await following;
  return withTagOfChange(operation, response);
}

async function commitLine(call: Call, input: InputValues, change: ChangeRequest): Promise<ResponseData> {
  return withTagOfChange(requireEndpoint(call).operation, await commitChange(call, input, change));
}

function commitChange(call: Call, input: InputValues, change: ChangeRequest): Maybe<ResponseData> {
  return requireEndpoint(call).commit === "row"
    ? commitRow(call, input, change)
    : commitWork(call, input, change);
}

/**
 * Returns the values that identify a request's idempotency record (account, environment, path and key), and the body, so that it
 * can be compared. Returns undefined if the request has no idempotency key.
 */
function identityOf({ actor, path }: Call, { idempotencyKey: key, json }: ChangeRequest) {
  if (key === undefined || actor === undefined || actor.kind === "anonymous") return undefined;
  const { accountId, environment } = actor;
  return { accountId, environment, path, key, json };
}

/**
 * Inserts the row that the operation's function returns, together with its idempotency record. If the client has already closed
 * the connection, nothing is inserted.
 */
function commitRow(call: Call, input: InputValues, change: ChangeRequest): Promise<ResponseData> {
  const { database, idempotency } = call.pipeline;
  // The cast is safe, because `creationEndpoint` accepts only a verb that returns a `Creation`.
  const creation = requireEndpoint(call).run(verbContext(call, database.read), input) as Creation<unknown>;
  const encode = (row: unknown) => encodeResult(call, input, row);
  const beforeSending = () => requireOpenConnection(call.request);
  const identity = identityOf(call, change);
  const create = () =>
    identity !== undefined && idempotency !== undefined
      ? idempotency.create(identity, creation, encode, beforeSending)
      : database.create(creation, { beforeSending }).then((rows) => encode(singleRow(rows)));
  const { refuseDuplicate } = creation;
  return refuseDuplicate === undefined ? create() : untilUnique(create, () => refuseDuplicate(database.run));
}

/**
 * Creates a row with a unique value. If another row already has the value, calls `refuse`, which normally throws. If `refuse`
 * does not throw, the other row has just been removed, so the creation is retried.
 *
 * @throws ServiceError from `refuse`, or `unavailable` after too many attempts
 */
async function untilUnique(
  create: () => Promise<ResponseData>,
  refuse: () => Promise<void>,
): Promise<ResponseData> {
  for (let attempt = 1; attempt <= UNIQUE_ATTEMPTS_MAX; attempt++) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      await refuse();
    }
  }
  throw unavailable(
    "Other requests keep adding and removing the same value. Nothing was created. Try again.",
  );
}

/**
 * Runs a verb (the function that executes an operation), and waits until its change is on disk. Changes nothing if the client has
 * already closed the connection. With an embedded database, the verb and the commit run synchronously, so the client cannot
 * disconnect in between. With a database server, a client that disconnects while a statement runs is noticed too late.
 */
function commitWork(call: Call, input: InputValues, change: ChangeRequest): Maybe<ResponseData> {
  const { request } = call;
  const { database, idempotency } = call.pipeline;
  const { commit, readCurrent } = requireEndpoint(call);
  const { owner = keyIdOf(call.actor) } = change;
  const beforeSending = () => requireOpenConnection(request);
  const run = (query: Query, write?: Database["write"]) => {
    const answer = () => runVerb(call, input, query, write && { write });
    const requireCurrent = readCurrent && preconditionsIn(change.headers);
    if (requireCurrent === undefined) return answer();
    return andThen(readCurrent?.(verbContext(call, query), input), (current) => {
      requireCurrent(current);
      return answer();
    });
  };
  const whileOpen =
    <Result>(work: (query: Query) => Maybe<Result>) =>
    (query: Query) => {
      beforeSending();
      return work(query);
    };
  const identity = identityOf(call, change);
  if (identity !== undefined && idempotency !== undefined)
    return idempotency.run(identity, whileOpen(run), owner);
  if (commit === "by-verb") return run(database.read, (inner) => database.write(whileOpen(inner)));
  if (commit === "compared") {
    const requireCurrent = readCurrent && preconditionsIn(change.headers);
    const compared = (query: Query) => runVerb(call, input, query, { requireCurrent });
    return database.write(whileOpen(compared), { isAtomic: true, readsFirst: true, beforeSending }, owner);
  }
  if (commit === "statement") return database.write(whileOpen(run), { isAtomic: true, beforeSending });
  return database.write(whileOpen(run), undefined, owner);
}

function verbContext(call: Call, query: Query, further?: Pick<Context, "write" | "requireCurrent">): Context {
  const { now, contractNow, requestId: id, traceparent } = call;
  const { randomBytes, addressOf, rehearsal } = call.pipeline;
  const actor = requireActor(call);
  const storeId = rehearsal?.storeId;
  if (requireEndpoint(call).operation.method === "GET")
    return { query, actor, now, contractNow, randomBytes, storeId };
  const request = { id, traceparent, address: () => addressOf(call) };
  return { query, actor, now, contractNow, randomBytes, storeId, request, ...further };
}

/**
 * Executes an operation and encodes its result. This is synchronous if the database is embedded, because its queries are
 * synchronous.
 */
function runVerb(
  call: Call,
  input: InputValues,
  query: Query,
  further?: Pick<Context, "write" | "requireCurrent">,
): Maybe<ResponseData> {
  const result = requireEndpoint(call).run(verbContext(call, query, further), input);
  return result instanceof Promise
    ? result.then((found) => encodeResult(call, input, found))
    : encodeResult(call, input, result);
}

function encodeResult(call: Call, input: InputValues, result: unknown): ResponseData {
  const { operation, toResponse } = requireEndpoint(call);
  if (toResponse === undefined) return encodeResponse(operation, result, input, call);
  const { body, headers } = toResponse(result);
  const response = encodeResponse(operation, body, input, call);
  return { ...response, headers: { ...response.headers, ...headers } };
}
