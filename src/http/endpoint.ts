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

/** Path and query parameters by name, and the `body`. */
export type InputValues = Readonly<Record<string, unknown>>;

/** An operation and its verb, the function that executes it, with types checked against each other. */
export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O;
  readonly plan: Plan;
  readonly run: (ctx: Context, input: InputValues) => Maybe<unknown>;
  /**
   * How a change is committed. `transaction`: the whole verb runs in one transaction. `statement`: the verb has a single statement,
   * which is atomic by itself. `row`: the pipeline inserts the row that the verb yields (`Creation`), with its idempotency record.
   * `compared`: without preconditions or a key, the verb reads, and then runs one statement that compares what it has read.
   * `lines`: the verb yields changes (`Lines`), which the pipeline commits one by one.
   * `by-verb`: the verb opens its transactions itself, because it hashes a password between them; `ctx.query` only reads.
   */
  readonly commit: "transaction" | "statement" | "compared" | "row" | "lines" | "by-verb";
  /** Reads the current resource of a change, to check preconditions; throws `not_found` if there is none. */
  readonly readCurrent?: Endpoint["run"];
  /** True if a request without a session may call the endpoint. */
  readonly allowAnonymous?: true;
  /** Splits a result into body and header lines. If left out, the whole result is the body. */
  readonly toResponse?: (result: unknown) => Presented;
  /** Page to which a refusal leads, because a form was submitted, whose response the browser shows to a person. */
  readonly refusalPage?: string;
  /** Called before a change begins, to load code for which a transaction must not wait. */
  readonly prepare?: () => Promise<unknown>;
  /** Called once a change is on disk. The response waits for the returned promise. */
  readonly onCommitted?: () => void | Promise<void>;
  /** Opens the source of an event stream: of the events after `after` or, if that is undefined, of those from now on. */
  readonly follow?: (input: InputValues, after: bigint | undefined) => Promise<StreamSource>;
}

/** A complete table: an endpoint for each of the operations. */
export type Endpoints<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends Operation ? Endpoint<Operations[Id]> : never;
};

interface EndpointOptions extends Pick<Endpoint, "allowAnonymous" | "prepare" | "refusalPage"> {
  /** How the change is committed; one transaction if left out. */
  readonly commit?: "statement" | "compared" | "by-verb";
}

export type Verb<O extends Operation, Found = Result<O>> = (ctx: Context, input: Input<O>) => Maybe<Found>;

interface Presented<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** Connects an operation with its verb. The pipeline passes only input parsed by that operation. */
export function endpoint<O extends Operation>(
  operation: O,
  verb: Verb<O>,
  options: EndpointOptions = {},
): Endpoint<O> {
  return createEndpoint(operation, { run: runnerOf(verb, options), ...options });
}

type Behaviour = Omit<Endpoint, "operation" | "plan" | "commit"> & Partial<Pick<Endpoint, "commit">>;

/** An endpoint with the plan of its operation. */
export function createEndpoint<O extends Operation>(
  operation: O,
  { commit = "transaction", ...behaviour }: Behaviour,
): Endpoint<O> {
  return { operation, plan: planOf(operation), commit, ...behaviour };
}

/** An operation's verb, alone or with its options. A change needs `readCurrent`, and with preconditions one transaction with it. */
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

/** Connects each operation of a table with its verb. */
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

/** An endpoint whose verb also returns values for header lines. */
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

/** Restricts a query to one statement. @throws TypeError for a second one: if it failed, the first would stay committed */
function singleStatement(query: Query): Query {
  let isUsed = false;
  return (statement, values) => {
    if (isUsed)
      throw new TypeError("A verb without a transaction may run one statement. Give it a transaction.");
    isUsed = true;
    return query(statement, values);
  };
}

export interface Route {
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Parameters of the path, in their order in it. */
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

/** Value of the `Allow` header (RFC 9110 §10.2.1), without the operations whose removal date has passed. */
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
