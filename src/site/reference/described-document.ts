import type { Int64 } from "exact-json/int64";
import { parseJson } from "../../contract/json/json.ts";

// The OpenAPI document, prepared for the pages: references are resolved, and large integers keep all their digits.

export interface Schema {
  /** The name of the schema in the OpenAPI document's components, such as `Pet`. */
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: Int64;
  readonly maximum?: Int64;
  readonly minLength?: Int64;
  readonly maxLength?: Int64;
  readonly minItems?: Int64;
  readonly maxItems?: Int64;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface DescribedParameter {
  /**
   * The name of the parameter in the OpenAPI document's components, such as `IdempotencyKey`. Absent if only one operation has
   * the parameter.
   */
  readonly title?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Header {
  /** The name of the header in the OpenAPI document's components, such as `PageETag`. */
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly "x-deprecated-sunset"?: string;
  readonly "x-stability"?: string;
  readonly "x-hideTryItPanel"?: boolean;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface DescribedDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

export function operationsOf({ paths }: DescribedDocument): readonly DescribedOperation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

export function readDocument(text: string): DescribedDocument {
  const document = parseJson(text) as DescribedDocument;

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    if (!("$ref" in value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
    const [, , kind = "", title = ""] = String(value.$ref).split("/");
    return { ...Object(resolve(document.components[kind]?.[title])), title };
  }
  return resolve(document) as DescribedDocument;
}
