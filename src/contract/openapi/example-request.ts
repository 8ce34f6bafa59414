import { writeJson } from "../json/json.ts";
import { type DocumentedOperation, mediaTypesOf, type Parameters } from "../operation.ts";
import { pagingParameters } from "../parameter.ts";
import type { AddressOption, SampleOperation, SampleRequest } from "./code-samples.ts";

/** Base address in example requests, replaced by the service's own when its document is served. */
const BASE = "http://localhost:8080/v1";

/** An operation's request, made from its examples. The query has only the first filter: all together would match nothing. */
export function exampleRequest(operation: DocumentedOperation, option: AddressOption): SampleRequest {
  const { pathParameters = {}, query = {}, body } = operation;
  const filters = Object.entries(query).filter(([name]) => !(name in pagingParameters));
  const [value] = Object.values(body?.examples ?? {});
  return {
    operation: sampleOperation(operation, option),
    base: BASE,
    parameters: [
      ...Object.entries(pathParameters).map(exampleIn("path")),
      ...filters.slice(0, 1).map(exampleIn("query")),
    ],
    body: body && { mediaType: mediaTypesOf(body)[0] ?? "", text: writeJson(value), value },
  };
}

function exampleIn(place: "path" | "query") {
  return ([name, { example }]: [string, Parameters[string]]) => ({ name, in: place, value: example });
}

export function sampleOperation(
  { id, method, path, success }: DocumentedOperation,
  addressOption: AddressOption,
): SampleOperation {
  const answer = success.paged ? "list" : success.schema === undefined ? "nothing" : "json";
  return { id, method, path, addressOption, answer };
}
