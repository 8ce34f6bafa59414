import { writeJson } from "../../contract/json/json.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import type { DescribedOperation, DescribedParameter, Schema } from "./described-document.ts";
import type { RulesByField } from "./rules.ts";
import { bodySchemaHtml, limitsOf, typeOf } from "./schema-html.ts";

interface ParametersOptions {
  readonly heading?: string;
  /** True if people can send the request from the page. Each parameter then has an input field. */
  readonly withFields?: boolean;
  readonly rules?: RulesByField;
}

/** Renders an operation's parameters. If a rule describes a parameter, the parameter links to the section about that rule. */
export function parametersHtml(
  operationId: string,
  parameters: readonly DescribedParameter[],
  { heading = "", withFields = false, rules }: ParametersOptions,
): string {
  if (parameters.length === 0) return "";
  const items = parameters.map((parameter) => {
    const { title = "", name, required, description: text = "", schema } = parameter;
    const id = `${operationId}-${name}`;
    const label = withFields ? `<label for="${id}"><code>${name}</code></label>` : `<code>${name}</code>`;
    const field = withFields ? fieldHtml(id, parameter) : "";
    const rule = rules?.get(title);
    if (rule !== undefined)
      return `<dt>${label} <span class="type">see <a href="#${rule.id}">${rule.title}</a></span></dt>\n<dd>${field}</dd>`;
    const facts = limitsOf({ ...schema, ...example(parameter) });
    return `<dt>${label} <span class="type">${typeOf(schema)}, in ${parameter.in}</span>${
      required ? "" : ' <span class="optional">optional</span>'
    }</dt>
<dd>${renderMarkdown(text)} ${facts}${field}</dd>`;
  });
  return `${heading}\n<dl class="members">\n${items.join("\n")}\n</dl>`;
}

/** Returns the example value of a parameter. A list is written as in a URL, separated by commas. */
function example({ example: value }: DescribedParameter): Pick<Schema, "example"> {
  if (value === undefined) return {};
  return { example: Array.isArray(value) ? value.join(",") : value };
}

/**
 * Renders the input field of a parameter. Only required parameters have an initial value, because a request with the example
 * values of all filters would find nothing.
 */
function fieldHtml(id: string, parameter: DescribedParameter): string {
  const { name, required, schema } = parameter;
  const { example: shown } = example(parameter);
  const value = required && shown !== undefined ? ` value="${escapeHtml(String(shown))}"` : "";
  const kind = schema.items === undefined ? String(schema.type) : "array";
  const attributes = `id="${id}" name="${name}" data-in="${parameter.in}" data-kind="${kind}"`;
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);
  if (choices === undefined)
    return `<input class="try" type="text" ${attributes}${value} spellcheck="false">`;
  const options = choices.map((choice) => `<option>${choice}</option>`);
  return `<select class="try" ${attributes}><option value="">any</option>${options.join("")}</select>`;
}

/** Renders the schema of a request body, and an input field that contains the body's first example. */
export function bodyHtml({ operationId, requestBody }: DescribedOperation, withFields: boolean): string {
  const { content = {} } = requestBody ?? {};
  const [[mediaType, media] = []] = Object.entries(content);
  if (mediaType === undefined || media === undefined) return "";
  const examples = Object.entries(media.examples ?? {}).map(([name, { value }]) => [
    name,
    writeJson(value, 2),
  ]);
  return `<h4>Body</h4>
${bodySchemaHtml(media.schema, Object.keys(content))}
${withFields ? bodyField(operationId, mediaType, examples) : ""}`;
}

const ROWS_MAX = 16;

function bodyField(operationId: string, mediaType: string, examples: readonly string[][]): string {
  const id = `${operationId}-body`;
  const [[, text = ""] = []] = examples;
  const options = examples.map(
    ([name, value = ""]) => `<option value="${escapeHtml(value)}">${name}</option>`,
  );
  const rows = Math.min(text.split("\n").length + 1, ROWS_MAX);
  const choice =
    examples.length < 2
      ? ""
      : `<label class="try">Example <select data-fills="${id}">${options.join("")}</select></label>`;
  return `${choice}<label class="try" for="${id}">Request body</label>
<textarea class="try" id="${id}" data-in="body" data-media-type="${mediaType}" rows="${rows}" spellcheck="false">${escapeHtml(text)}</textarea>`;
}
