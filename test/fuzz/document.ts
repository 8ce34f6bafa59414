// The emitted documents, read without the code.

/** As much of JSON Schema as the documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** One operation, with everything it refers to resolved but for the schemas inside schemas. */
export interface Described {
  readonly id: string;
  readonly service: "production" | "messages";
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly responses: Operation["responses"];
  resolve(schema: Schema): Schema;
}

export async function describedOperations(): Promise<readonly Described[]> {
  return [...(await operationsOf("petstore", "production")), ...(await operationsOf("messages", "messages"))];
}

async function operationsOf(name: string, service: Described["service"]): Promise<readonly Described[]> {
  const text = await Bun.file(new URL(`../../openapi/${name}.json`, import.meta.url)).text();
  const { paths, components } = readExactly(text) as Document;
  const lastOf = (reference: string) => reference.split("/").at(-1) ?? "";
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(components.schemas[lastOf(schema.$ref)] ?? {});
  const parameterOf = (parameter: Parameter): Parameter =>
    (parameter.$ref === undefined ? parameter : components.parameters?.[lastOf(parameter.$ref)]) ?? parameter;
  const responsesOf = (responses: Operation["responses"]) =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        (response.$ref === undefined ? response : components.responses[lastOf(response.$ref)]) ?? response,
      ]),
    );
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      service,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(parameterOf),
      body: Object.values(requestBody?.content ?? {})[0]?.schema,
      responses: responsesOf(responses),
      resolve,
    })),
  );
}

/** JSON with every digit of its integers: beyond 2^53 they are `bigint`. */
export function readExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, { source = "" }: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );
}

export function writeExactly(value: unknown): string {
  const text = JSON.stringify(value, (_name, member) =>
    typeof member === "bigint" ? JSON.rawJSON(member.toString()) : member,
  );
  return text ?? "null";
}
