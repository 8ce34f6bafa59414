import type { Context } from "../context.ts";
import type { Input, Method, Operation, Parameters, Result } from "../contract/operation.ts";

/** An operation and the verb that carries it out, with the types between them already checked. */
export interface Endpoint {
  readonly operation: Operation;
  readonly run: (ctx: Context, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /**
   * Left out, a change happens in one transaction. `alone`: each of the verb's statements stands for itself, because
   * there is but one, or because what lies between them takes too long. An `insertion` is one statement that can even
   * carry its idempotency record with it.
   */
  readonly statements?: "alone" | "insertion";
  /** Whether it may be asked by somebody who has not signed in. */
  readonly allowAnonymous?: true;
  /** Parts a result that has something for the header lines; left out, all of it is the answer's body. */
  readonly toResponse?: (result: unknown) => Presented;
  /** Called once a change is on disk. */
  readonly onCommitted?: () => void;
}

type EndpointOptions = Pick<Endpoint, "statements" | "allowAnonymous" | "onCommitted">;

interface Presented<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** An endpoint whose verb also returns what only header lines may carry. */
export function endpointWithHeaders<O extends Operation, Found>(
  operation: O,
  verb: (ctx: Context, input: Input<O>) => Promise<Found>,
  present: (result: Found) => Presented<Result<O>>,
  options: EndpointOptions = {},
): Endpoint {
  return {
    operation,
    run: (ctx, input) => verb(ctx, input as Input<O>),
    toResponse: (result) => present(result as Found),
    ...options,
  };
}

/** Ties a verb to its operation. The pipeline hands over only input that it has read by that very operation. */
export function endpoint<O extends Operation>(
  operation: O,
  verb: (ctx: Context, input: Input<O>) => Promise<Result<O>>,
  options: EndpointOptions = {},
): Endpoint {
  return { operation, run: (ctx, input) => verb(ctx, input as Input<O>), ...options };
}

/** One path below the base address, and what its methods do. */
export interface Route {
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The path's own parameters, the same for every method. */
  readonly parameters: Parameters;
  /** The whole `Allow` line (RFC 9110 §10.2.1). */
  readonly allow: string;
}

export function routesOf(endpoints: readonly Endpoint[]): readonly Route[] {
  const byPath = Map.groupBy(endpoints, ({ operation }) => operation.path);
  return [...byPath].map(([path, ofPath]) => ({
    path,
    endpoints: new Map(ofPath.map((one): [Method, Endpoint] => [one.operation.method, one])),
    parameters: ofPath[0]?.operation.pathParameters ?? {},
    allow: allowLine(ofPath.map(({ operation }) => operation.method)),
  }));
}

export function allowLine(methods: readonly Method[]): string {
  const all = new Set<string>([...methods, "OPTIONS"]);
  if (all.has("GET")) all.add("HEAD");
  return [...all].sort().join(", ");
}
