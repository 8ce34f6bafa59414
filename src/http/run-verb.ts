import { type Context, keyIdOf } from "../context.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Database, DataVersion, Query } from "../storage/database.ts";
import { readBody } from "./body.ts";
import type { Call } from "./call.ts";
import type { InputValues } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency/idempotency.ts";
import { afterParsing, requireOpenConnection } from "./open-connection.ts";
import { applyIfNoneMatch, checkPreconditions } from "./preconditions.ts";
import {
  encodeResponse,
  type Responding,
  type ResponseData,
  withEntityTag,
  withTagOfChange,
} from "./response.ts";

/** Answers a request that only reads. Its response is cached while it is pending. */
export function answerQuery(call: Call, values: InputValues, version: DataVersion | undefined): Responding {
  const { pipeline, request, actor, endpoint, charge } = call;
  const { database, responseCache, concurrency } = pipeline;
  const { searchParameter } = endpoint.operation.success;
  const readAt = version === undefined ? undefined : database.versions.readAt?.(version);
  const run = () => runVerb(call, values, readAt ?? database.read);
  const isSearch = searchParameter !== undefined && values[searchParameter] !== undefined;
  const found = andThen(isSearch ? concurrency.search(keyIdOf(actor), run) : run(), (response) =>
    withEntityTag(response, endpoint.operation, values),
  );
  if (version !== undefined) responseCache?.set(request.url, call.now, version, found);
  return andThen(found, (response) => {
    const answered = applyIfNoneMatch(response, request);
    // A 304 does not count against the rate limit.
    if (charge !== undefined && answered.status === 304) Object.assign(call.headers, charge.refund());
    return answered;
  });
}

/** Answers a request that may change something. */
export async function answerCommand(call: Call, values: InputValues): Promise<ResponseData> {
  const { pipeline, request, endpoint } = call;
  const { operation, prepare, readCurrent } = endpoint;
  const idempotencyKey = readIdempotencyKey(request);
  await afterParsing();
  const body = await readBody(call, operation.body);
  await pipeline.authenticator.revalidate(call, operation);
  if (prepare !== undefined) await prepare();
  const input = body === undefined ? values : { ...values, body: body.value };
  const work: Work = (query, write) => {
    const run = () => runVerb(call, input, query, write);
    if (readCurrent === undefined) return run();
    const current = () => readCurrent(verbContext(call, query), input);
    return andThen(checkPreconditions(request, current), run);
  };
  const response = await commit(call, { idempotencyKey, json: body?.json }, work);
  const following = endpoint.onCommitted?.();
  if (following !== undefined) await following;
  return withTagOfChange(operation, response);
}

type Work = (query: Query, write?: Database["write"]) => Maybe<ResponseData>;

interface Change {
  readonly idempotencyKey: string | undefined;
  /** The body's JSON; undefined if the operation declares none. */
  readonly json: unknown;
}

/**
 * Executes a change by its endpoint's `transaction`, until it is on disk. Nothing is changed for a client that has gone. An
 * embedded database runs `work` and the commit synchronously, so nothing happens between this check and the response; with a
 * database server, a client that goes during the statement is not noticed in time.
 */
function commit(
  { pipeline: { database, idempotency }, request, path, actor, endpoint: { transaction } }: Call,
  { idempotencyKey, json }: Change,
  work: Work,
): Maybe<ResponseData> {
  const requireOpen = () => requireOpenConnection(request);
  const whileOpen =
    <Result>(run: (query: Query) => Maybe<Result>) =>
    (query: Query) => {
      requireOpen();
      return run(query);
    };
  const checked = whileOpen(work);
  if (idempotencyKey !== undefined && idempotency !== undefined && actor.kind !== "anonymous") {
    const { accountId, environment } = actor;
    const identity = { accountId, environment, path, key: idempotencyKey, json };
    return transaction === "single-insert"
      ? idempotency.insertIdempotent(identity, checked, requireOpen)
      : idempotency.run(identity, checked, keyIdOf(actor));
  }
  if (transaction === undefined) return database.write(checked, undefined, keyIdOf(actor));
  if (transaction !== "own") return database.write(checked, { isSingle: true, beforeSending: requireOpen });
  return work(database.read, (inner) => database.write(whileOpen(inner)));
}

function verbContext(call: Call, query: Query, write?: Database["write"]): Context {
  const { actor, now, contractNow, requestId, traceparent } = call;
  const { randomBytes, addressOf, rehearsal } = call.pipeline;
  const storeId = rehearsal?.storeId;
  const read: Context = { query, actor, now, contractNow, randomBytes, requestId, traceparent, storeId };
  if (call.endpoint.operation.method === "GET") return read;
  return { ...read, address: () => addressOf(call), ...(write && { write }) };
}

/** Executes an operation and encodes its result: synchronously if the query is, as with an embedded database. */
function runVerb(
  call: Call,
  input: InputValues,
  query: Query,
  write?: Database["write"],
): Maybe<ResponseData> {
  const { endpoint } = call;
  return andThen(endpoint.run(verbContext(call, query, write), input), (result) => {
    const presented = endpoint.toResponse?.(result);
    const response = encodeResponse(endpoint.operation, presented ? presented.body : result, input, call);
    return presented ? { ...response, headers: { ...response.headers, ...presented.headers } } : response;
  });
}
