import { writeJson } from "../json/json.ts";
import { type DocumentedOperation, mediaTypesOf } from "../operation.ts";
import { pagingParameters } from "../paging-parameters.ts";
import type { AddressOption, SampleOperation, SampleRequest } from "./code-samples.ts";

/** Replaced by the base address of the service when its document is served. */
const BASE = "http://localhost:8080/v1";

/** An operation's request, made from its examples. Of the query, it has the first filter: all of them together would find nothing. */
export function exampleRequest(operation: DocumentedOperation, option: AddressOption): SampleRequest {
  const { pathParameters = {}, query = {}, body } = operation;
  const filters = Object.entries(query).filter(([name]) => !(name in pagingParameters));
  const examples = Object.values(body?.examples ?? {}).slice(0, 1);
  return {
    operation: sampleOperation(operation, option),
    base: BASE,
    parameters: [
      ...Object.entries(pathParameters).map(([name, { example }]) => ({
        name,
        in: "path" as const,
        value: example,
      })),
      ...filters.slice(0, 1).map(([name, { example }]) => ({ name, in: "query" as const, value: example })),
    ],
    body: examples.map((value) => ({
      mediaType: (body && mediaTypesOf(body)[0]) ?? "application/json",
      text: writeJson(value),
      value,
    }))[0],
  };
}

export function sampleOperation(
  { id, method, path, success }: DocumentedOperation,
  addressOption: AddressOption,
): SampleOperation {
  const answer = success.paged ? "list" : success.schema === undefined ? "nothing" : "json";
  return { id, method, path, addressOption, answer };
}
