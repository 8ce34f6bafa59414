import { writeJson } from "../../contract/json/json.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import { type Description, nameOf, type Reference, type Schema } from "./described-document.ts";

/** A schema with its members, of a body in these media types. */
export function schemaHtml(
  description: Description,
  of: Schema | Reference,
  mediaTypes: readonly string[],
): string {
  const schema = description.resolve(of);
  const types = mediaTypes.map((type) => `<code>${type}</code>`).join(" or ");
  const note = schema.description === undefined ? "" : `. ${renderMarkdown(schema.description)}`;
  return `<p>${types} <span class="type">${typeOf(description, of)}</span>${note}</p>${partsOf(description, schema)}`;
}

/** What a schema consists of: members, items or alternatives. */
function partsOf(description: Description, schema: Schema): string {
  if (schema.properties !== undefined) return membersHtml(description, schema);
  if (schema.items !== undefined) return partsOf(description, description.resolve(schema.items));
  return alternativesOf(schema)
    .filter((alternative) => partsOf(description, description.resolve(alternative)) !== "")
    .map((alternative) => folded(description, alternative))
    .join("");
}

function alternativesOf({ oneOf = [], anyOf = [], allOf = [] }: Schema): readonly (Schema | Reference)[] {
  return [...oneOf, ...anyOf, ...allOf];
}

function folded(description: Description, of: Schema | Reference): string {
  const schema = description.resolve(of);
  const label = nameOf(of) ?? nameOf(schema.items ?? {}) ?? "Its members";
  return `<details><summary>${label}</summary>${partsOf(description, schema)}</details>`;
}

function membersHtml(description: Description, { properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, of]) => {
    const schema = description.resolve(of);
    const text = schema.description === undefined ? "" : `${renderMarkdown(schema.description)} `;
    const parts = partsOf(description, schema) === "" ? "" : folded(description, of);
    const optional = required.includes(name) ? "" : ' <span class="optional">optional</span>';
    return `<dt><code>${name}</code> <span class="type">${typeOf(description, of)}</span>${optional}</dt>
<dd>${text}${limitsOf(schema)}${parts}</dd>`;
  });
  return `<dl class="members">\n${members.join("\n")}\n</dl>`;
}

/** `integer (int64)`, `array of Pet`, `string or null`. */
export function typeOf(description: Description, of: Schema | Reference): string {
  const schema = description.resolve(of);
  const name = nameOf(of);
  if (schema.items !== undefined) return `array of ${typeOf(description, schema.items)}`;
  if (name !== undefined && (schema.properties ?? schema.oneOf) !== undefined) return name;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((each) => typeOf(description, each)))].join(" or ");
  const type = [schema.type ?? "any value"].flat().join(" or ");
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** Every bound, digit for digit, as sentences. */
export function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (least: unknown, most: unknown, unit: string) => {
    const noun = unit === "" || (least === 1 && most === undefined) ? unit : `${unit}s`;
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${noun}.`];
    if (least !== undefined) return [`At least ${least}${noun}.`];
    return most === undefined ? [] : [`At most ${most}${noun}.`];
  };
  return [
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " character"),
    ...range(minItems, maxItems, " item"),
    ...(schema.enum === undefined ? [] : [`One of ${schema.enum.map(code).join(", ")}.`]),
    ...(schema.const === undefined ? [] : [`Always ${code(schema.const)}.`]),
    ...(schema.default === undefined ? [] : [`Default ${code(schema.default)}.`]),
    ...(schema.example === undefined ? [] : [`Example ${code(schema.example)}.`]),
  ]
    .map((sentence) => `<span class="limit">${sentence}</span>`)
    .join(" ");
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === "string" ? value : writeJson(value))}</code>`;
}

/** JSON, or the text of an event stream, that the keyboard can scroll. */
export function exampleHtml(label: string, value: unknown): string {
  const text = typeof value === "string" ? value : writeJson(value, 2);
  return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}
