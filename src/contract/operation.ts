import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Parameter } from "./parameter.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Access levels of API keys. Each includes the operations of the level before it: `read` allows GET unless the operation demands
 * more, `sell` adds the operations that sell, and `read-write` allows every operation.
 */
export const ACCESS_LEVELS = ["read", "sell", "read-write"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/**
 * The roles of accounts, in ascending order: a viewer reads the store, staff also change it, and an owner also manages accounts.
 */
export const ROLES = ["viewer", "staff", "owner"] as const;
export type Role = (typeof ROLES)[number];

export type Parameters = Readonly<Record<string, Parameter<unknown, unknown>>>;

/** Deprecation of an operation: RFC 9745 `Deprecation`, RFC 8594 `Sunset`. */
export interface Deprecation {
  /** Start of the deprecation, in milliseconds since 1970. */
  readonly since: number;
  /** Removal date, in milliseconds since 1970: from then on the operation answers 410. */
  readonly sunset: number;
  /** Path of the operation that replaces a deprecated one, relative to the base address. */
  readonly successor: string;
  /** `message` of the 410 response that a removed operation gives. */
  readonly goneMessage: string;
}

/** An HTTP operation as data: the source of validation, types and routes. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path of the operation, relative to the base address, with parameters in braces: `/pets/{petId}`. */
  readonly path: string;
  /** Minimum access of a key that may call the operation. If left out, `read` for reading, and `read-write` for a change. */
  readonly access?: AccessLevel;
  /** Minimum role of an account that may call the operation. If left out, `viewer` for reading, and `staff` for a change. */
  readonly role?: Role;
  /** False if responses must not be cached: they depend on the caller's key, or the verb itself caches the data. */
  readonly isCached?: false;
  readonly deprecation?: Deprecation;
  readonly pathParameters?: Parameters;
  readonly query?: Parameters;
  readonly body?: OperationBody;
  readonly success: OperationSuccess;
  /** Error codes of the operation, in addition to those common to all operations of its kind. */
  readonly errors?: readonly ErrorCode[];
}

export interface OperationBody {
  readonly schema: z.ZodObject;
  /** Members that are refused, keyed by name, each with advice for the caller. Other unknown members are ignored. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Accepted media types of the body; `application/json` if left out. */
  readonly mediaTypes?: readonly string[];
}

/** Media type of what a page's form submits (WHATWG HTML §4.10.21.7). */
export const FORM_MEDIA_TYPE = "application/x-www-form-urlencoded";

export function mediaTypesOf(body: OperationBody | undefined): readonly string[] {
  return body?.mediaTypes ?? ["application/json"];
}

/** True if a request without a body counts as `{}`: a POST in which every member is optional. */
export function acceptsNone(method: string, { schema }: OperationBody): boolean {
  return method === "POST" && schema.safeParse({}).success;
}

interface OperationSuccess {
  readonly status: 200 | 201 | 202 | 204 | 303;
  /** Schema of the response's body; absent for 204 and 303. */
  readonly schema?: z.ZodType;
  /** True if the verb returns a `Page`; the response has its items and a `Link`. */
  readonly paged?: true;
  /** Set if the resource is also offered as an event stream (WHATWG HTML §9.2), for clients whose `Accept` asks for one. */
  readonly stream?: OperationStream;
  /** Names of list parameters. A page requested with exactly one value of one of them has the `ETag` of its only item. */
  readonly itemParameters?: readonly string[];
  /** Names of the parameters that make a request a search, which is expensive; empty if every request is one. */
  readonly searchParameters?: readonly string[];
  /**
   * Name of a member that is shown only once. The response is not stored, and its `ETag` is that of the resource without the
   * member.
   */
  readonly secret?: string;
  /**
   * Path of the resource in the response, relative to the base address. `{id}` is the resource's `id`; other names are
   * parameters of the request.
   */
  readonly location?: string;
  /** Another path of the new resource, which replaces `location` from a given time on, in milliseconds since 1970. */
  readonly locationLater?: { readonly from: number; readonly location: string };
}

export interface OperationStream {
  readonly query: readonly string[];
  readonly description: string;
  readonly example: string;
}

/** An operation that appears in the documents and the client. The console's own operations appear in no document. */
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

/** Replaces each name in braces by its value from the first of `sources` that has the name. */
export function fillPath(path: string, ...sources: readonly Readonly<Record<string, unknown>>[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(sources.find((one) => name in one)?.[name]));
}

export function leastAccess({ method, access }: Operation): AccessLevel {
  return access ?? (method === "GET" ? "read" : "read-write");
}

export function hasAccess(actual: AccessLevel, least: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(actual) >= ACCESS_LEVELS.indexOf(least);
}

/** True if the operation refuses API keys with the access `read`. */
export function needsWriting(operation: Operation): boolean {
  return leastAccess(operation) !== "read";
}

/**
 * An operation of a document that changes an existing resource. A POST with 201 or 202 is not one, because it creates a
 * resource.
 */
export interface ChangeOperation extends Operation {
  readonly tag: string;
  readonly method: Exclude<Method, "GET">;
  readonly path: `${string}{${string}`;
  readonly success: OperationSuccess & { readonly status: 200 | 204 };
}

/**
 * True if an operation of a document accepts `If-Match` and `If-None-Match`, which are checked in the transaction of its change.
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

/** True if a successful response has an `ETag`: its body is a page, or the resource read, created or changed. */
export function hasEntityTag({ success: { status, location } }: Operation): boolean {
  return status === 200 || (status === 201 && location !== undefined);
}

/** A page of a list, and the cursor of the next page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

type ValueOf<P> = P extends Parameter<infer Present, infer Absent> ? Present | Absent : never;
/** Values of parameters, keyed by name. `Excluded` is undefined for path parameters, because they are never absent. */
type ValuesOf<P, Excluded = never> = P extends Parameters
  ? { readonly [Name in keyof P]: Exclude<ValueOf<P[Name]>, Excluded> }
  : unknown;
type BodyOf<B> = B extends { readonly schema: infer Schema extends z.ZodType }
  ? { readonly body: z.infer<Schema> }
  : unknown;

/** Input of a verb: path and query parameters by name, and the validated `body`. */
export type Input<O extends Operation> = ValuesOf<O["pathParameters"], undefined> &
  ValuesOf<O["query"]> &
  BodyOf<O["body"]>;

/** Result of a verb: the resource, a page, or nothing for 204. */
export type Result<O extends Operation> = ResultOf<O["success"]>;

type ResultOf<S> = S extends { readonly paged: true; readonly schema: infer List extends z.ZodType }
  ? z.infer<List> extends readonly (infer Item)[]
    ? Page<Item>
    : never
  : S extends { readonly schema: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : undefined;
