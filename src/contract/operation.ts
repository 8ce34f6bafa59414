import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Parameter } from "./parameter.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Access levels of API keys. Each level allows everything that the level before it allows. `read` allows GET, unless the
 * operation requires a higher level. `sell` also allows the operations that sell animals. `read-write` allows every operation.
 */
export const ACCESS_LEVELS = ["read", "sell", "read-write"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/**
 * The roles of accounts, in ascending order: a viewer only reads the store, staff can also change it, and an owner can also manage
 * accounts.
 */
export const ROLES = ["viewer", "staff", "owner"] as const;
export type Role = (typeof ROLES)[number];

export type Parameters = Readonly<Record<string, Parameter<unknown, unknown>>>;

/** The deprecation of an operation (RFC 9745 `Deprecation`, RFC 8594 `Sunset`). */
export interface Deprecation {
  /** Start of the deprecation, in milliseconds since 1970. */
  readonly since: number;
  /** Removal date, in milliseconds since 1970. From this date on, the operation responds with 410. */
  readonly sunset: number;
  /** Path of the operation that replaces the deprecated operation, relative to the base address. */
  readonly successor: string;
  /** The `message` of the 410 response after the removal date. */
  readonly goneMessage: string;
}

/** Describes an HTTP operation as data. Validation, types and routes are derived from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path of the operation, relative to the base address, with parameters in braces: `/pets/{petId}`. */
  readonly path: string;
  /**
   * Minimum access level of a key that may call the operation. If left out, it is `read` for an operation that only reads, and
   * `read-write` for a change.
   */
  readonly access?: AccessLevel;
  /**
   * Minimum role of an account that may call the operation. If left out, it is `viewer` for an operation that only reads, and
   * `staff` for a change.
   */
  readonly role?: Role;
  /**
   * False if the service must not cache the responses. This is the case if they depend on the client's key, or if the function
   * that executes the operation caches the data itself.
   */
  readonly isCached?: false;
  readonly deprecation?: Deprecation;
  readonly pathParameters?: Parameters;
  readonly query?: Parameters;
  readonly body?: OperationBody;
  readonly success: OperationSuccess;
  /** Error codes of this operation, in addition to those that all operations of its kind have. */
  readonly errors?: readonly ErrorCode[];
}

export interface OperationBody {
  readonly schema: z.ZodObject;
  /**
   * Members that the service refuses, keyed by name, each with advice for the client's developer. All other unknown members are
   * ignored.
   */
  readonly refused?: Readonly<Record<string, string>>;
  /** Media types that the body may have. If left out, the body must be `application/json`. */
  readonly mediaTypes?: readonly string[];
}

/** Media type that a browser uses to submit an HTML form (WHATWG HTML §4.10.21.7). */
export const FORM_MEDIA_TYPE = "application/x-www-form-urlencoded";

export function mediaTypesOf(body: OperationBody | undefined): readonly string[] {
  return body?.mediaTypes ?? ["application/json"];
}

/**
 * True if a request without a body is treated like one with the body `{}`. This applies to a POST whose members are all optional.
 */
export function acceptsNone(method: string, { schema }: OperationBody): boolean {
  return method === "POST" && schema.safeParse({}).success;
}

interface OperationSuccess {
  readonly status: 200 | 201 | 202 | 204 | 303;
  /** Schema of the response's body; absent for 204 and 303. */
  readonly schema?: z.ZodType;
  /**
   * True if the verb (the function that executes the operation) returns a `Page`. The response then contains the page's items and
   * a `Link` to the next page.
   */
  readonly paged?: true;
  /**
   * Set if clients can also get the resource as an event stream (WHATWG HTML §9.2). They request a stream with the header `Accept`.
   */
  readonly stream?: OperationStream;
  /**
   * Names of parameters that take a list of values. If a request has one such parameter with exactly one value, and no other
   * parameter, the `ETag` of the page is the `ETag` of its only item.
   */
  readonly itemParameters?: readonly string[];
  /**
   * Names of the parameters that turn a request into a search. Searches are expensive. If the list is empty, every request is a
   * search.
   */
  readonly searchParameters?: readonly string[];
  /**
   * Name of the member that contains a secret, which is shown only once. The response is not stored, and its `ETag` is computed
   * without this member.
   */
  readonly secret?: string;
  /**
   * Path of the resource that the response contains, relative to the base address. `{id}` stands for the resource's `id`; other
   * names stand for parameters of the request.
   */
  readonly location?: string;
  /** A path that replaces `location` from a given time on. The time is in milliseconds since 1970. */
  readonly locationLater?: { readonly from: number; readonly location: string };
}

export interface OperationStream {
  readonly query: readonly string[];
  readonly description: string;
  readonly example: string;
}

/** An operation that appears in the API documents and in the client, unlike the operations that exist only for the console. */
export interface DocumentedOperation extends Operation {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly stability?: "beta" | "experimental";
  readonly hideTryItPanel?: true;
  readonly body?: OperationBody & { readonly examples: Readonly<Record<string, unknown>> };
  readonly success: OperationSuccess & { readonly description: string; readonly example?: unknown };
}

export type Operations = Readonly<Record<string, Omit<Operation, "id">>>;
export type DocumentedOperations = Readonly<Record<string, Omit<DocumentedOperation, "id" | "tag">>>;

export function named<Table extends Operations>(table: Table) {
  return sharing({}, table);
}

export function sharing<const Common extends Partial<DocumentedOperation>, Table extends Operations>(
  common: Common,
  table: Table,
) {
  const operations = Object.entries(table).map(([id, operation]) => [id, { id, ...common, ...operation }]);
  return Object.fromEntries(operations) as {
    readonly [Id in keyof Table & string]: Table[Id] & Common & { readonly id: Id };
  };
}

/** Replaces each name in braces by its value in the first of the `sources` that contains the name. */
export function fillPath(path: string, ...sources: readonly Readonly<Record<string, unknown>>[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(sources.find((one) => name in one)?.[name]));
}

export function leastAccess({ method, access }: Operation): AccessLevel {
  return access ?? (method === "GET" ? "read" : "read-write");
}

export function hasAccess(actual: AccessLevel, least: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(actual) >= ACCESS_LEVELS.indexOf(least);
}

/** True if the operation refuses API keys whose access level is `read`. */
export function needsWriting(operation: Operation): boolean {
  return leastAccess(operation) !== "read";
}

/**
 * A documented operation that changes an existing resource. A POST that responds with 201 or 202 is not included, because it
 * creates a resource.
 */
export interface ChangeOperation extends Operation {
  readonly tag: string;
  readonly method: Exclude<Method, "GET">;
  readonly path: `${string}{${string}`;
  readonly success: OperationSuccess & { readonly status: 200 | 204 };
}

/**
 * True if an operation accepts `If-Match` and `If-None-Match`. These preconditions are checked in the same transaction as the
 * change.
 */
export function changesResource({ method, path, success: { status } }: Operation): boolean {
  return method !== "GET" && path.includes("{") && (status === 200 || status === 204);
}

export function leastRole(operation: Operation): Role {
  return operation.role ?? (needsWriting(operation) ? "staff" : "viewer");
}

export function hasRole(actual: Role, least: Role): boolean {
  return ROLES.indexOf(actual) >= ROLES.indexOf(least);
}

export function isRemoved({ deprecation }: Operation, now: number): boolean {
  return deprecation !== undefined && now >= deprecation.sunset;
}

/** True if a successful response has an `ETag`. Its body is then a page, or the resource that was read, created or changed. */
export function hasEntityTag({ success: { status, location } }: Operation): boolean {
  return status === 200 || (status === 201 && location !== undefined);
}

/** A page of a list, and the cursor of the next page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

type ValueOf<P> = P extends Parameter<infer Present, infer Absent> ? Present | Absent : never;
/**
 * Maps the names of parameters to the types of their values, without the type `Excluded`. For path parameters, `Excluded` is
 * undefined, because they are never absent.
 */
type ValuesOf<P, Excluded = never> = P extends Parameters
  ? { readonly [Name in keyof P]: Exclude<ValueOf<P[Name]>, Excluded> }
  : unknown;
type BodyOf<B> = B extends { readonly schema: infer Schema extends z.ZodType }
  ? { readonly body: z.infer<Schema> }
  : unknown;

/**
 * The input of a verb (the function that executes an operation): the values of the path and query parameters, keyed by name, and
 * the validated `body`.
 */
export type Input<O extends Operation> = ValuesOf<O["pathParameters"], undefined> &
  ValuesOf<O["query"]> &
  BodyOf<O["body"]>;

/** The result of a verb (the function that executes an operation): the resource, a page, or nothing if the status is 204. */
export type Result<O extends Operation> = ResultOf<O["success"]>;

type ResultOf<S> = S extends { readonly paged: true; readonly schema: infer List extends z.ZodType }
  ? z.infer<List> extends readonly (infer Item)[]
    ? Page<Item>
    : never
  : S extends { readonly schema: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : undefined;
