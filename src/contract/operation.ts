import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Parameter } from "./parameter.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What an API key may do: `read` answers questions, `read-write` also changes things. */
export const ACCESS_LEVELS = ["read", "read-write"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

export type Parameters = Readonly<Record<string, Parameter<unknown, unknown>>>;

/** Announced end of an operation: RFC 9745 `Deprecation`, RFC 8594 `Sunset`. */
export interface Deprecation {
  /** Milliseconds since 1970; the operation counts as deprecated from here on. */
  readonly since: number;
  /** Milliseconds since 1970; from here on the operation answers 410. */
  readonly sunset: number;
  /** The path that replaces it, below the base address. */
  readonly successor: string;
  /** The whole sentence of the 410 answer. */
  readonly goneMessage: string;
}

/** One operation of the interface, as data: validation, types, router, documents and client all read this. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Below the base address, with parameters in braces: `/pets/{petId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The least access a key needs. */
  readonly access: AccessLevel;
  readonly stability?: "beta" | "experimental";
  readonly hideTryItPanel?: true;
  readonly deprecation?: Deprecation;
  readonly pathParameters?: Parameters;
  readonly query?: Parameters;
  readonly body?: OperationBody;
  readonly success: OperationSuccess;
  /** The refusals of its own, beyond those that every operation shares. */
  readonly errors?: readonly ErrorCode[];
}

export interface OperationBody {
  readonly schema: z.ZodObject;
  readonly mediaTypes: readonly [string, ...string[]];
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface OperationSuccess {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Absent for 204. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** The answer is one page of a list: the verb returns a `Page`, the client sees its items and a `Link`. */
  readonly paged?: true;
  /** Where the new resource is found, below the base address; `{id}` stands for its identifier. */
  readonly location?: string;
}

/** One page of a list, newest first, and where the next one starts. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

type ValueOf<P> = P extends Parameter<infer Present, infer Absent> ? Present | Absent : never;
type ValuesOf<P> = P extends Parameters ? { readonly [Name in keyof P]: ValueOf<P[Name]> } : unknown;
/** A path always has its parameters: without them it is another path. */
type PathValuesOf<P> = P extends Parameters
  ? { readonly [Name in keyof P]: Exclude<ValueOf<P[Name]>, undefined> }
  : unknown;
type BodyOf<B> = B extends { readonly schema: infer Schema extends z.ZodType }
  ? { readonly body: z.infer<Schema> }
  : unknown;

/** What a verb receives: its path and query parameters by name, and the checked `body`. */
export type Input<O extends Operation> = PathValuesOf<O["pathParameters"]> &
  ValuesOf<O["query"]> &
  BodyOf<O["body"]>;

type ResultOf<S> = S extends { readonly paged: true; readonly schema: infer List extends z.ZodType }
  ? z.infer<List> extends readonly (infer Item)[]
    ? Page<Item>
    : never
  : S extends { readonly schema: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : undefined;

/** What a verb returns: the resource, a page of them, or nothing for 204. */
export type Result<O extends Operation> = ResultOf<O["success"]>;
