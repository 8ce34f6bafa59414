import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Parameter } from "./parameter.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `read` allows GET, `read-write` every operation. */
export const ACCESS_LEVELS = ["read", "read-write"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** The rights of an account, from the least to the most: see the store; change it; decide who else may. */
export const ROLES = ["viewer", "staff", "owner"] as const;
export type Role = (typeof ROLES)[number];

export type Parameters = Readonly<Record<string, Parameter<unknown, unknown>>>;

/** The end of an operation: RFC 9745 `Deprecation`, RFC 8594 `Sunset`. */
export interface Deprecation {
  /** Milliseconds since 1970: the start of the deprecation. */
  readonly since: number;
  /** Milliseconds since 1970: from then on the operation answers 410. */
  readonly sunset: number;
  /** The path that replaces it, below the base address. */
  readonly successor: string;
  /** The `message` of the 410 response. */
  readonly goneMessage: string;
}

/** An operation, as data: the source of validation, types and routes. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Below the base address, with parameters in braces: `/pets/{petId}`. */
  readonly path: string;
  /** Where a key needs more to read than to read other resources. */
  readonly access?: "read-write";
  /** The least role that an account needs; left out, `viewer` to read and `staff` to change something. */
  readonly role?: Role;
  readonly deprecation?: Deprecation;
  readonly pathParameters?: Parameters;
  readonly query?: Parameters;
  readonly body?: OperationBody;
  /** `If-Match` is compared with the current representation, inside the transaction. */
  readonly conditional?: true;
  readonly success: OperationSuccess;
  /** Error codes beyond those of every operation of its kind. */
  readonly errors?: readonly ErrorCode[];
}

export interface OperationBody {
  readonly schema: z.ZodObject;
  /** `application/json` alone when left out. */
  readonly mediaTypes?: readonly string[];
}

export function mediaTypesOf(body: OperationBody | undefined): readonly string[] {
  return body?.mediaTypes ?? ["application/json"];
}

export interface OperationSuccess {
  readonly status: 200 | 201 | 202 | 204;
  /** Absent for 204. */
  readonly schema?: z.ZodType;
  /** The verb returns a `Page`; the response has its items and a `Link`. */
  readonly paged?: true;
  /** The resource as an event stream (WHATWG HTML §9.2), for a request whose `Accept` asks for it. */
  readonly stream?: OperationStream;
  /** A list parameter: a page that is asked for by one of its values alone has the `ETag` of the item found. */
  readonly itemParameter?: string;
  /** A member that is shown this once: nothing between service and client may store it, and the `ETag` is that of the resource without it. */
  readonly secret?: string;
  /** The path of the new resource, below the base address, with `{id}` for its identifier. */
  readonly location?: string;
  /** From this time on, in milliseconds since 1970, the resource is read at another address. */
  readonly locationLater?: { readonly from: number; readonly location: string };
}

export interface OperationStream {
  /** The query parameters that it takes. */
  readonly query: readonly string[];
  readonly description: string;
  readonly example: string;
}

/** An operation of the interface: the source of documents and client, too. The console's own are in no document. */
export interface DocumentedOperation extends Operation {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly stability?: "beta" | "experimental";
  readonly hideTryItPanel?: true;
  readonly body?: OperationBody & { readonly examples: Readonly<Record<string, unknown>> };
  readonly success: OperationSuccess & { readonly description: string; readonly example?: unknown };
}

/** Tables of operations by their identifiers. */
export type Operations = Readonly<Record<string, Omit<Operation, "id">>>;
export type DocumentedOperations = Readonly<Record<string, Omit<DocumentedOperation, "id" | "tag">>>;

/** The operations of a table, with their identifiers. */
export function named<Table extends Operations>(table: Table) {
  return sharing({}, table);
}

/** Operations with the members that all of a table share. */
export function sharing<const Common extends Partial<DocumentedOperation>, Table extends Operations>(
  common: Common,
  table: Table,
) {
  const operations = Object.entries(table).map(([id, operation]) => [id, { id, ...common, ...operation }]);
  return Object.fromEntries(operations) as {
    readonly [Id in keyof Table & string]: Table[Id] & Common & { readonly id: Id };
  };
}

/** Whether a key with the access `read` is refused. */
export function needsWriting({ method, access }: Operation): boolean {
  return method !== "GET" || access === "read-write";
}

/** The least role that an account needs. */
export function leastRole(operation: Operation): Role {
  return operation.role ?? (needsWriting(operation) ? "staff" : "viewer");
}

export function hasRole(actual: Role, least: Role): boolean {
  return ROLES.indexOf(actual) >= ROLES.indexOf(least);
}

/** Whether the operation's removal date has come. */
export function isRemoved({ deprecation }: Operation, now: number): boolean {
  return deprecation !== undefined && now >= deprecation.sunset;
}

/** Whether the success carries an `ETag`: it shows a page, or the resource that was read, made or changed. */
export function hasEntityTag({ success: { status, location } }: Operation): boolean {
  return status === 200 || (status === 201 && location !== undefined);
}

/** A page of a list, newest first, and the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  /** The cursor of the page that begins after the item with this index, for a page that has to end there. */
  cursorAfter(index: number): string;
}

type ValueOf<P> = P extends Parameter<infer Present, infer Absent> ? Present | Absent : never;
/** A path parameter is never absent. */
type ValuesOf<P, Excluded = never> = P extends Parameters
  ? { readonly [Name in keyof P]: Exclude<ValueOf<P[Name]>, Excluded> }
  : unknown;
type BodyOf<B> = B extends { readonly schema: infer Schema extends z.ZodType }
  ? { readonly body: z.infer<Schema> }
  : unknown;

/** The input of a verb: its path and query parameters by name, and the checked `body`. */
export type Input<O extends Operation> = ValuesOf<O["pathParameters"], undefined> &
  ValuesOf<O["query"]> &
  BodyOf<O["body"]>;

/** The result of a verb: the resource, a page of them, or nothing for 204. */
export type Result<O extends Operation> = ResultOf<O["success"]>;

type ResultOf<S> = S extends { readonly paged: true; readonly schema: infer List extends z.ZodType }
  ? z.infer<List> extends readonly (infer Item)[]
    ? Page<Item>
    : never
  : S extends { readonly schema: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : undefined;
