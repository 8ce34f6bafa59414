import { parseInt64 } from "exact-json/int64";
import { readJson } from "exact-json/read-json";
import type { SampleOperation, SampleRequest } from "../../contract/openapi/code-samples.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Parameter = SampleRequest["parameters"][number];

/** The request that an operation's form describes; an empty field is left out, but a path's. */
export function readForm(form: HTMLFormElement, base: string): SampleRequest {
  const operation: SampleOperation = JSON.parse(form.dataset["operation"] ?? "");
  const fields = [...form.querySelectorAll<Field>("[data-in]")];
  const parameters = fields.flatMap((field): readonly Parameter[] => {
    const place = field.dataset["in"];
    if (place !== "path" && place !== "query" && place !== "header") return [];
    if (field.value === "" && place !== "path") return [];
    return [{ name: field.name, in: place, value: typedValue(field) }];
  });
  const body = fields.find(({ dataset }) => dataset["in"] === "body");
  return { operation, base, parameters, body: body && bodyOf(body) };
}

function typedValue({ value, dataset }: Field): unknown {
  if (dataset["kind"] === "array") return value.split(",").map(integerOrText);
  if (dataset["kind"] === "integer") return integerOrText(value);
  return dataset["kind"] === "boolean" ? value === "true" : value;
}

/** The integer that is written like this: `007` and `-0` are sent as they are typed. */
function integerOrText(text: string): unknown {
  const integer = parseInt64(text);
  return String(integer) === text ? integer : text;
}

/** The text is sent as it is typed; a sample in a programming language has its value, where it is JSON. */
function bodyOf({ value: text, dataset }: Field): SampleRequest["body"] {
  const mediaType = dataset["mediaType"] ?? "";
  try {
    return { mediaType, text, value: readJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { mediaType, text, value: text };
    throw error;
  }
}
