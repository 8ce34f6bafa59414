import type { Actor, Context } from "../context.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RequestContext } from "./request-context.ts";
import { encodeResponse, type ResponseData } from "./response.ts";

export interface VerbCall {
  readonly pipeline: {
    readonly rehearsal?: { readonly storeId: string };
    readonly randomBytes: RandomBytes;
    readonly addressOf: (context: RequestContext) => string;
  };
  readonly context: RequestContext;
  readonly actor: Actor;
  readonly endpoint: Endpoint;
}

/** What a verb is handed for a request. */
export function verbContext(
  { pipeline: { randomBytes, addressOf, rehearsal }, context, actor, endpoint }: VerbCall,
  query: Query,
  write?: Database["write"],
): Context {
  const { now, requestId, traceparent } = context;
  const read: Context = {
    query,
    actor,
    now,
    randomBytes,
    requestId,
    traceparent,
    storeId: rehearsal?.storeId,
  };
  if (endpoint.operation.method === "GET") return read;
  return { ...read, address: () => addressOf(context), ...(write && { write }) };
}

/** Runs the verb and encodes its result: at once where the query answers at once, as an embedded database does. */
export function runVerb(
  call: VerbCall,
  input: Readonly<Record<string, unknown>>,
  query: Query,
  write?: Database["write"],
): Maybe<ResponseData> {
  const { context, endpoint } = call;
  return andThen(endpoint.run(verbContext(call, query, write), input), (result) => {
    const presented = endpoint.toResponse?.(result);
    const response = encodeResponse(endpoint.operation, presented ? presented.body : result, context);
    return presented ? { ...response, headers: { ...response.headers, ...presented.headers } } : response;
  });
}
