export interface SampleOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The name of the `@petstore/client` option that sets the base address. */
  readonly addressOption: "baseUrl" | "messagesUrl";
  readonly answer: "nothing" | "json" | "list";
}

interface SampleParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /** The value of the parameter; an array if the parameter is a comma-separated list. */
  readonly value: unknown;
}

/** A request to show as a code sample. Its values come from the examples in the API document, or from a form. */
export interface SampleRequest {
  readonly operation: SampleOperation;
  readonly base: string;
  readonly parameters: readonly SampleParameter[];
  /** The request body. `text` is sent unchanged. `value` is the JSON value of that text, or the text itself if it is not JSON. */
  readonly body?: { readonly mediaType: string; readonly text: string; readonly value: unknown } | undefined;
}

/**
 * Renders a request as a shell command, in TypeScript and in Python. The samples read the API key from the variable `PETSTORE_KEY`.
 */
export function codeSamples(request: SampleRequest) {
  return [
    { label: "curl", source: curlSample(request) },
    { label: "TypeScript", source: typescriptSample(request) },
    { label: "Python", source: pythonSample(request) },
  ];
}

export function addressOf(request: SampleRequest): string {
  const { operation, base } = request;
  const filled = parametersIn("path", request).reduce(
    (path, { name, value }) => path.replace(`{${name}}`, () => inAddress(value)),
    operation.path,
  );
  const query = parametersIn("query", request).map(({ name, value }) => `${name}=${inAddress(value)}`);
  return base + filled + (query.length === 0 ? "" : `?${query.join("&")}`);
}

function parametersIn(place: SampleParameter["in"], { parameters }: SampleRequest) {
  return parameters.filter((parameter) => parameter.in === place);
}

function inAddress(value: unknown): string {
  return [value]
    .flat()
    .map((item) => encodeURIComponent(String(item)))
    .join(",");
}

export function headersOf(request: SampleRequest): Readonly<Record<string, string>> {
  const { body } = request;
  return {
    ...(body && { "Content-Type": body.mediaType }),
    ...Object.fromEntries(parametersIn("header", request).map(({ name, value }) => [name, String(value)])),
  };
}

/** Names of `@petstore/client` methods that cannot be derived from the name of the operation, keyed by operation. */
const METHODS: Readonly<Record<string, string>> = {
  rotateWebhookSecret: "webhooks.rotateSecret",
  listDeliveries: "webhooks.deliveries",
  getDelivery: "webhooks.delivery",
  redeliver: "webhooks.redeliver",
  getInventory: "pets.inventory",
  getKey: "key.get",
  getTestClock: "rehearsal.getClock",
  setTestClock: "rehearsal.setClock",
  resetStore: "rehearsal.reset",
};

/**
 * Returns the method of `@petstore/client` that calls an operation. For instance, `listPets` is `pets.list`, and `placeOrder` is
 * `orders.place`.
 */
export function clientMethod(operationId: string): string {
  const named = METHODS[operationId];
  if (named !== undefined) return named;
  const [, verb = "", noun = ""] = /^([a-z]+)([A-Z]\w*)$/.exec(operationId) ?? [];
  const plural = noun.endsWith("s") ? noun : `${noun}s`.replace(/ys$/, "ies");
  return `${plural.toLowerCase()}.${verb}`;
}

/** Names of the client's options that set a header, keyed by the name of the header. */
const CALL_OPTIONS: Readonly<Record<string, string>> = {
  "Idempotency-Key": "idempotencyKey",
  "If-Match": "ifMatch",
};

function typescriptSample(request: SampleRequest): string {
  const { operation, base } = request;
  const values = callValues(request).map((value) => sourceLiteral(value, TYPESCRIPT));
  const call = `client.${clientMethod(operation.id)}(${values.join(", ")})`;
  const statement = operation.answer === "nothing" ? `await ${call};` : `console.log(await ${call});`;
  return `import { createClient } from "@petstore/client";

const client = createClient({
  key: process.env.PETSTORE_KEY ?? "",
  ${operation.addressOption}: "${base}",
});
${operation.answer === "list" ? `for await (const item of ${call}) console.log(item);` : statement}`;
}

/** Returns the arguments of the client's method, in order: path parameters, body, query, options. */
function callValues(request: SampleRequest): readonly unknown[] {
  const query = parametersIn("query", request).map(
    // A list such as `id=1,2` is passed to the client as `ids: [1, 2]`.
    ({ name, value }) => [Array.isArray(value) ? `${name}s` : name, value],
  );
  const options = parametersIn("header", request).flatMap(({ name, value }) => {
    const option = CALL_OPTIONS[name];
    return option === undefined ? [] : [[option, value]];
  });
  return [
    ...parametersIn("path", request).map(({ value }) => value),
    ...(request.body === undefined ? [] : [request.body.value]),
    ...[query, options].filter(({ length }) => length > 0).map((members) => Object.fromEntries(members)),
  ];
}

function pythonSample(request: SampleRequest): string {
  const { operation, body } = request;
  const hasJson = body !== undefined || operation.answer !== "nothing";
  const fields = [
    '"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]',
    ...Object.entries(headersOf(request)).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
  ];
  const data =
    body === undefined ? "" : `\n    data=json.dumps(${sourceLiteral(body.value, PYTHON)}).encode(),`;
  return `${hasJson ? "import json\n" : ""}import os
import urllib.request

request = urllib.request.Request(
    "${addressOf(request)}",
    method="${operation.method}",
    headers={${fields.map((field) => `\n        ${field},`).join("")}
    },${data}
)
with urllib.request.urlopen(request) as response:
    print(${operation.answer === "nothing" ? "response.status" : "json.load(response)"})`;
}

function curlSample(request: SampleRequest): string {
  const { operation, body } = request;
  const isDefault = operation.method === (body === undefined ? "GET" : "POST");
  const fields = Object.entries(headersOf(request)).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [
    `curl ${isDefault ? "" : `-X ${operation.method} `}${quoted(addressOf(request))}`,
    '-H "Authorization: Bearer $PETSTORE_KEY"',
    ...fields,
    ...(body === undefined ? [] : [`--data-raw ${quoted(body.text)}`]),
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** How a programming language writes JSON values. */
interface Notation {
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  /** The suffix that an integer literal above 2^53 needs. */
  readonly bigSuffix: string;
  readonly member: (name: string) => string;
  readonly object: (members: string) => string;
}

const TYPESCRIPT: Notation = {
  none: "null",
  yes: "true",
  no: "false",
  bigSuffix: "n",
  member: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  object: (members) => `{ ${members} }`,
};

const PYTHON: Notation = {
  none: "None",
  yes: "True",
  no: "False",
  bigSuffix: "",
  member: (name) => JSON.stringify(name),
  object: (members) => `{${members}}`,
};

/** Writes a JSON value as an expression in a programming language. Large integers keep all their digits. */
function sourceLiteral(value: unknown, notation: Notation): string {
  if (value === null) return notation.none;
  if (typeof value === "boolean") return value ? notation.yes : notation.no;
  if (typeof value === "bigint") return `${value}${notation.bigSuffix}`;
  if (Array.isArray(value)) return `[${value.map((item) => sourceLiteral(item, notation)).join(", ")}]`;
  // A string in JSON is also a valid string literal in JavaScript and in Python.
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${notation.member(name)}: ${sourceLiteral(member, notation)}`,
  );
  return members.length === 0 ? "{}" : notation.object(members.join(", "));
}
