import { writeJson } from "../json/json.ts";
import type { Operation } from "../operation.ts";
import { pagingParameters } from "../paging-parameters.ts";
import { curlCommand } from "./curl.ts";
import { PYTHON, sourceLiteral, TYPESCRIPT } from "./source-literal.ts";

/** The option of `@petstore/client` that takes the base address of a document's service. */
export type AddressOption = "baseUrl" | "messagesUrl";

/** Replaced by the base address of the service when its document is served. */
const BASE = "http://localhost:8080/v1";

/** An operation's request in three languages, made from its examples; the key is in the environment variable `PETSTORE_KEY`. */
export function codeSamples(operation: Operation, option: AddressOption) {
  const request = exampleRequest(operation);
  const { url, method, body } = request;
  const headers = {
    Authorization: "",
    ...(request.mediaType !== undefined && { "Content-Type": request.mediaType }),
  };
  const curl = curlCommand({ url, method, headers, ...(body && { body: writeJson(body.value) }) });
  return [
    { lang: "Shell", label: "curl", source: curl },
    { lang: "TypeScript", label: "TypeScript", source: typescriptSample(operation, request, option) },
    { lang: "Python", label: "Python", source: pythonSample(operation, request) },
  ];
}

/** The methods whose names do not follow from their operations'. */
const METHODS: Readonly<Record<string, string>> = {
  rotateWebhookSecret: "webhooks.rotateSecret",
  listDeliveries: "webhooks.deliveries",
  redeliver: "webhooks.redeliver",
  getTestClock: "rehearsal.getClock",
  setTestClock: "rehearsal.setClock",
  deleteTestClock: "rehearsal.deleteClock",
};

/** The method of `@petstore/client` for an operation: `listPets` is `pets.list`, `placeOrder` is `orders.place`. */
export function clientMethod(operationId: string): string {
  const named = METHODS[operationId];
  if (named !== undefined) return named;
  const [, verb = "", noun = ""] = /^([a-z]+)([A-Z]\w*)$/.exec(operationId) ?? [];
  const plural = noun.endsWith("s") ? noun : `${noun}s`.replace(/ys$/, "ies");
  return `${plural.toLowerCase()}.${verb}`;
}

interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly body: { readonly value: unknown } | undefined;
  /** Of the client's method. */
  readonly values: readonly unknown[];
}

/** Of the query, the first filter: all of them together would find nothing. */
function exampleRequest({ method, path, pathParameters = {}, query = {}, body }: Operation): ExampleRequest {
  const inPath = Object.entries(pathParameters).map(([name, { example }]) => ({ name, example }));
  const filter = Object.entries(query).find(([name]) => !(name in pagingParameters));
  const [name, { example = undefined, isList = false } = {}] = filter ?? [];
  const filled = inPath.reduce(
    (address, parameter) => address.replace(`{${parameter.name}}`, inAddress(parameter.example)),
    BASE + path,
  );
  const examples = Object.values(body?.examples ?? {}).slice(0, 1);
  return {
    method,
    url: name === undefined ? filled : `${filled}?${name}=${inAddress(example)}`,
    mediaType: body?.mediaTypes[0],
    body: examples.map((value) => ({ value }))[0],
    values: [
      ...inPath.map((parameter) => parameter.example),
      ...examples,
      // `id=1,2` is `ids: [1, 2]` in the client.
      ...(name === undefined ? [] : [{ [isList ? `${name}s` : name]: example }]),
    ],
  };
}

function inAddress(example: unknown): string {
  return [example]
    .flat()
    .map((value) => encodeURIComponent(String(value)))
    .join(",");
}

function typescriptSample({ id, success }: Operation, { values }: ExampleRequest, option: AddressOption) {
  const given = values.map((value) => sourceLiteral(value, TYPESCRIPT)).join(", ");
  const call = `client.${clientMethod(id)}(${given})`;
  const statement = success.schema === undefined ? `await ${call};` : `console.log(await ${call});`;
  return `import { createClient } from "@petstore/client";

const client = createClient({
  key: process.env.PETSTORE_KEY ?? "",
  ${option}: "${BASE}",
});
${success.paged ? `for await (const item of ${call}) console.log(item);` : statement}`;
}

function pythonSample({ success }: Operation, { method, url, mediaType, body }: ExampleRequest): string {
  const hasJson = body !== undefined || success.schema !== undefined;
  const fields = [
    '"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]',
    ...(mediaType === undefined ? [] : [`"Content-Type": ${JSON.stringify(mediaType)}`]),
  ];
  const data =
    body === undefined ? "" : `\n    data=json.dumps(${sourceLiteral(body.value, PYTHON)}).encode(),`;
  return `${hasJson ? "import json\n" : ""}import os
import urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={${fields.map((field) => `\n        ${field},`).join("")}
    },${data}
)
with urllib.request.urlopen(request) as response:
    print(${success.schema === undefined ? "response.status" : "json.load(response)"})`;
}
