import type { Context } from "../context.ts";
import {
  type ChangeOperation,
  type Input,
  isRemoved,
  type Operation,
  type Parameters,
  type Result,
} from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { StreamSource } from "../platform/stream-source.ts";
import type { Query } from "../storage/database.ts";
import type { NamedParameter } from "./parameters.ts";
import { type Plan, planOf } from "./plan.ts";

/** The values of the path and query parameters, keyed by name, and the `body`. */
export type InputValues = Readonly<Record<string, unknown>>;

/**
 * An operation and the function that executes it, which is called its verb. The compiler checks that their types fit together.
 */
export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O;
  readonly plan: Plan;
  readonly run: (ctx: Context, input: InputValues) => Maybe<unknown>;
  /**
   * Says how a change is committed. `transaction`: the verb (the operation's function) runs in one transaction. `statement`: the
   * verb runs a single SQL statement. `row`: the verb returns a row (`Creation`), which is inserted together with its idempotency
   * record. `compared`: the verb reads the row, and then changes it with a single statement, which changes nothing if the row has
   * changed since; with an idempotency key, the verb runs in one transaction instead. `lines`: the verb returns several changes
   * (`Lines`), which are committed one by one. `by-verb`: the verb opens its own transactions, because it hashes a password
   * between them; its `ctx.query` can only read.
   */
  readonly commit: "transaction" | "statement" | "compared" | "row" | "lines" | "by-verb";
  /**
   * Reads the resource that a request is about to change, so that the preconditions can be checked. Throws `not_found` if the
   * resource does not exist.
   */
  readonly readCurrent?: Endpoint["run"];
  readonly allowAnonymous?: true;
  /**
   * Splits the result of the verb (the function that executes the operation) into body and headers. If left out, the whole result
   * is the body.
   */
  readonly toResponse?: (result: unknown) => Presented;
  /**
   * Address of the page that a refused request is redirected to. Set only if an HTML form sends the request, because the browser
   * then shows the response to a person.
   */
  readonly refusalPage?: string;
  /** Called before a change begins, to load code in advance. Otherwise, a transaction would have to wait for this code. */
  readonly prepare?: () => Promise<unknown>;
  /** Called when a change is on disk. The response is sent only after the returned promise has resolved. */
  readonly onCommitted?: () => void | Promise<void>;
  /**
   * Opens the source of an event stream. The stream begins with the events after `after` or, if that is undefined, with the next
   * new event.
   */
  readonly follow?: (input: InputValues, after: bigint | undefined) => Promise<StreamSource>;
}

/** A table with an endpoint for each operation. If an endpoint is missing, the program does not compile. */
export type Endpoints<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends Operation ? Endpoint<Operations[Id]> : never;
};

interface EndpointOptions extends Pick<Endpoint, "allowAnonymous" | "prepare" | "refusalPage"> {
  /** Says how the change is committed. If left out, the whole operation runs in one transaction. */
  readonly commit?: "statement" | "compared" | "by-verb";
}

export type Verb<O extends Operation, Found = Result<O>> = (ctx: Context, input: Input<O>) => Maybe<Found>;

interface Presented<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Connects an operation with its verb, which is the function that executes it. The verb need not check its input, because the
 * pipeline has already parsed the input as the operation declares.
 */
export function endpoint<O extends Operation>(
  operation: O,
  verb: Verb<O>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return createEndpoint(operation, { run: runnerOf(verb, options), ...options });
}

type Behaviour = Omit<Endpoint, "operation" | "plan" | "commit"> & Partial<Pick<Endpoint, "commit">>;

/** Creates an endpoint, with the facts about its operation that every request needs (`Plan`). */
export function createEndpoint<O extends Operation>(
  operation: O,
  { commit = "transaction", ...behaviour }: Behaviour,
): Endpoint<O> {
  return { operation, plan: planOf(operation), commit, ...behaviour };
}

/**
 * The verb of an operation (the function that executes it), with or without options. An operation that makes a change also needs
 * `readCurrent`, which reads the resource. If the operation accepts preconditions, `readCurrent` and the verb run in the same
 * transaction.
 */
type Entry<O extends Operation> = O extends ChangeOperation
  ? Omit<VerbWithOptions<O>, "commit"> & {
      readonly readCurrent: Verb<O, unknown>;
      readonly commit?: "compared";
    }
  : Verb<O> | VerbWithOptions<O> | Endpoint<O>;

interface VerbWithOptions<O extends Operation> extends EndpointOptions {
  readonly verb: Verb<O>;
  readonly readCurrent?: Verb<O, unknown>;
}

/** Connects each operation of a table with its verb, which is the function that executes the operation. */
export function endpoints<Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
  verbs: { readonly [Id in keyof Operations]: Entry<Operations[Id]> },
): Endpoints<Operations> {
  const tied: Record<string, Endpoint> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const entry = verbs[id] as Entry<Operation>;
    if (typeof entry === "function") tied[id] = endpoint(operation, entry);
    else tied[id] = "run" in entry ? entry : endpointWithOptions(operation, entry);
  }
  return tied as Endpoints<Operations>;
}

function endpointWithOptions(
  operation: Operation,
  { verb, readCurrent, ...options }: VerbWithOptions<Operation>,
): Endpoint {
  const plain = endpoint(operation, verb, options);
  return readCurrent === undefined ? plain : { ...plain, readCurrent: runnerOf(readCurrent, {}) };
}

/** Connects an operation with a verb (the function that executes it). The verb also returns values for header lines. */
export function endpointWithHeaders<O extends Operation, Found>(
  operation: O,
  verb: Verb<O, Found>,
  present: (result: Found) => Presented<Result<O>>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return createEndpoint(operation, {
    run: runnerOf(verb, options),
    toResponse: (result) => present(result as Found),
    ...options,
  });
}

function runnerOf<O extends Operation>(verb: Verb<O, unknown>, { commit }: EndpointOptions): Endpoint["run"] {
  if (commit !== "statement") return (ctx, input) => verb(ctx, input as Input<O>);
  return (ctx, input) => verb({ ...ctx, query: singleStatement(ctx.query) }, input as Input<O>);
}

/**
 * Creates a query function that runs only one statement.
 *
 * @throws TypeError for a second statement, because the first would stay committed if the second failed
 */
function singleStatement(query: Query): Query {
  let isUsed = false;
  return (statement, values) => {
    if (isUsed)
      throw new TypeError("This operation runs more than one SQL statement, so it needs a transaction.");
    isUsed = true;
    return query(statement, values);
  };
}

export interface Route {
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The parameters of the path, in the order of their appearance. */
  readonly parameters: readonly NamedParameter[];
}

export function routesOf(endpoints: readonly Endpoint[]): readonly Route[] {
  const byPath = Map.groupBy(endpoints, ({ operation }) => operation.path);
  return [...byPath].map(([path, ofPath]) => ({
    path,
    endpoints: new Map(ofPath.map((one) => [one.operation.method, one])),
    parameters: parametersOf(path, ofPath[0]?.operation.pathParameters ?? {}),
  }));
}

function parametersOf(path: string, parameters: Parameters): readonly NamedParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]): readonly NamedParameter[] => {
    const parameter = parameters[name];
    return parameter === undefined ? [] : [[name, parameter]];
  });
}

/** Returns the value of the `Allow` header (RFC 9110 §10.2.1). Operations whose removal date has passed are left out. */
export function allowAt({ endpoints }: Route, now: number): string {
  const left = [...endpoints.values()].filter(({ operation }) => !isRemoved(operation, now));
  return allowLine(left.map(({ operation }) => operation.method));
}

export function methodNotAllowed(
  { request, path }: { readonly request: Request; readonly path: string },
  Allow: string,
): ServiceError {
  const message = `${request.method} is not allowed on ${path}.`;
  return new ServiceError("method_not_allowed", message, { headers: { Allow } });
}

export function allowLine(methods: readonly string[]): string {
  const all = new Set([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return [...all].sort().join(", ");
}
