import type { Actor, Context } from "../context.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RequestContext } from "./request-context.ts";

interface VerbCall {
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
  const { now, requestId } = context;
  const read: Context = { query, actor, now, randomBytes, requestId, storeId: rehearsal?.storeId };
  if (endpoint.operation.method === "GET") return read;
  return { ...read, address: () => addressOf(context), ...(write && { write }) };
}
