import type { Int64 } from "exact-json/int64";
import { parseJson } from "../../contract/json/json.ts";

// An OpenAPI document as the pages read it: what the emitter writes, with every digit.

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
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
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly oneOf?: readonly (Schema | Reference)[];
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly allOf?: readonly (Schema | Reference)[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema | Reference;
  readonly example?: unknown;
}

export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema | Reference;
  readonly example?: unknown;
}

export interface Media {
  readonly schema: Schema | Reference;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
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
  readonly "x-codeSamples"?: readonly { readonly label: string; readonly source: string }[];
  readonly parameters?: readonly (DescribedParameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DescribedResponse | Reference>>;
}

interface DescribedDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A document, and what its references name. */
export interface Description {
  readonly document: DescribedDocument;
  /** The object itself, or the one that it refers to. */
  resolve<Described extends object>(of: Described | Reference): Described;
}

export function describe(text: string): Description {
  const document = parseJson(text) as DescribedDocument;
  return {
    document,
    resolve<Described extends object>(of: Described | Reference): Described {
      if (!("$ref" in of)) return of;
      const [kind = "", name = ""] = of.$ref.replace("#/components/", "").split("/");
      return document.components[kind]?.[name] as Described;
    },
  };
}

/** `Pet` of `#/components/schemas/Pet`. */
export function nameOf(of: object): string | undefined {
  return "$ref" in of ? String(of.$ref).split("/").at(-1) : undefined;
}
