import type { Context } from "../context.ts";
import {
  type Input,
  isRemoved,
  type Operation,
  type Parameters,
  type Result,
} from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { Followed } from "./event-streams.ts";
import type { RequestContext } from "./request-context.ts";

/** Path and query parameters by name, and the `body`. */
export type InputValues = Readonly<Record<string, unknown>>;

/** An operation and the verb that carries it out, with the types between them already checked. */
export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O;
  readonly run: (ctx: Context, input: InputValues) => Maybe<unknown>;
  /**
   * Left out, a change is one transaction. `none`: one statement, which is atomic by itself. `single-insert`: one
   * insertion, which the engine may run together with its idempotency record. `own`: `ctx.query` only reads, and the verb
   * opens transactions itself, because it hashes a password between two of them, which takes too long for one.
   */
  readonly transaction?: "none" | "single-insert" | "own";
  /** The resource as it is now, for an operation that is `conditional`; it throws `not_found` where there is none. */
  readonly readCurrent?: Endpoint["run"];
  /** Whether it answers a person who has not signed in. */
  readonly allowAnonymous?: true;
  /** Splits a result into the response's body and header lines; left out, all of it is the body. */
  readonly toResponse?: (result: unknown) => Presented;
  /** Called before a change begins: a verb whose code is loaded at its first use must not wait for that in a transaction. */
  readonly prepare?: () => Promise<unknown>;
  /** Called once a change is on disk; the response waits for what it returns. */
  readonly onCommitted?: () => void | Promise<void>;
  /** The source of an event stream, behind a position or from now on. */
  readonly follow?: (input: InputValues, after: bigint | undefined) => Promise<Followed>;
}

/** A table of endpoints that leaves out none of these operations. */
export type Endpoints<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends Operation ? Endpoint<Operations[Id]> : never;
};

interface EndpointOptions extends Pick<Endpoint, "allowAnonymous" | "prepare" | "onCommitted"> {
  readonly transaction?: "none" | "own";
}

/** Carries out an operation. */
export type Verb<O extends Operation, Found = Result<O>> = (ctx: Context, input: Input<O>) => Maybe<Found>;

interface Presented<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** Ties a verb to its operation. The pipeline hands over only input that it has read by that very operation. */
export function endpoint<O extends Operation>(
  operation: O,
  verb: Verb<O>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return { operation, run: runnerOf(verb, options), ...options };
}

/** Ties each operation of a table to its verb, or to an endpoint that needs more than that. */
export function endpoints<Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
  verbs: { readonly [Id in keyof Operations]: Verb<Operations[Id]> | Endpoint<Operations[Id]> },
): Endpoints<Operations> {
  const tied: Record<string, Endpoint> = {};
  for (const id in operations) {
    const verb = verbs[id];
    tied[id] = typeof verb === "function" ? endpoint(operations[id], verb) : verb;
  }
  return tied as Endpoints<Operations>;
}

/** An endpoint that takes `If-Match`. */
export function conditionalEndpoint<O extends Operation & { readonly conditional: true }>(
  operation: O,
  verb: Verb<O>,
  readCurrent: Verb<O, unknown>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return { ...endpoint(operation, verb, options), readCurrent: runnerOf(readCurrent, {}) };
}

/** An endpoint whose verb also returns what only header lines may carry. */
export function endpointWithHeaders<O extends Operation, Found>(
  operation: O,
  verb: Verb<O, Found>,
  present: (result: Found) => Presented<Result<O>>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return {
    operation,
    run: runnerOf(verb, options),
    toResponse: (result) => present(result as Found),
    ...options,
  };
}

function runnerOf<O extends Operation>(
  verb: Verb<O, unknown>,
  { transaction }: EndpointOptions,
): Endpoint["run"] {
  if (transaction !== "none") return (ctx, input) => verb(ctx, input as Input<O>);
  return (ctx, input) => verb({ ...ctx, query: singleStatement(ctx.query) }, input as Input<O>);
}

/** @throws TypeError at the second statement: if that failed, the first would stay done */
function singleStatement(query: Query): Query {
  let isUsed = false;
  return (statement, values) => {
    if (isUsed)
      throw new TypeError("A verb without a transaction may run one statement. Give it a transaction.");
    isUsed = true;
    return query(statement, values);
  };
}

/** One path below the base address, and what its methods do. */
export interface Route {
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The path's own parameters, the same for every method. */
  readonly parameters: Parameters;
}

export function routesOf(endpoints: readonly Endpoint[]): readonly Route[] {
  const byPath = Map.groupBy(endpoints, ({ operation }) => operation.path);
  return [...byPath].map(([path, ofPath]) => ({
    path,
    endpoints: new Map(ofPath.map((one) => [one.operation.method, one])),
    parameters: ofPath[0]?.operation.pathParameters ?? {},
  }));
}

/** The whole `Allow` line (RFC 9110 §10.2.1), without operations whose removal date has come. */
export function allowAt({ endpoints }: Route, now: number): string {
  const left = [...endpoints.values()].filter(({ operation }) => !isRemoved(operation, now));
  return allowLine(left.map(({ operation }) => operation.method));
}

export function methodNotAllowed({ request, path }: RequestContext, Allow: string): ServiceError {
  const message = `${request.method} is not allowed on ${path}.`;
  return new ServiceError("method_not_allowed", message, { headers: { Allow } });
}

export function allowLine(methods: readonly string[]): string {
  const all = new Set([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return [...all].sort().join(", ");
}
