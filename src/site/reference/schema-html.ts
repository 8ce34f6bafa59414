import { writeJson } from "../../contract/json/json.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import type { Schema } from "./described-document.ts";

/** Renders a body's schema as HTML: members and media types. */
export function schemaHtml(schema: Schema, mediaTypes: readonly string[]): string {
  const types = mediaTypes.map((type) => `<code>${type}</code>`).join(" or ");
  const note = schema.description === undefined ? "" : `. ${renderMarkdown(schema.description)}`;
  return `<p>${types} <span class="type">${typeOf(schema)}</span>${note}</p>${partsOf(schema)}`;
}

function partsOf(schema: Schema): string {
  if (schema.properties !== undefined) return membersHtml(schema);
  if (schema.items !== undefined) return partsOf(schema.items);
  return alternativesOf(schema)
    .filter((alternative) => partsOf(alternative) !== "")
    .map(folded)
    .join("");
}

function alternativesOf({ oneOf = [], anyOf = [], allOf = [] }: Schema): readonly Schema[] {
  return [...oneOf, ...anyOf, ...allOf];
}

function folded(schema: Schema): string {
  const label = schema.title ?? schema.items?.title ?? "Its members";
  return `<details><summary>${label}</summary>${partsOf(schema)}</details>`;
}

function membersHtml({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const text = schema.description === undefined ? "" : `${renderMarkdown(schema.description)} `;
    const parts = partsOf(schema) === "" ? "" : folded(schema);
    const optional = required.includes(name) ? "" : ' <span class="optional">optional</span>';
    return `<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${optional}</dt>
<dd>${text}${limitsOf(schema)}${parts}</dd>`;
  });
  return `<dl class="members">\n${members.join("\n")}\n</dl>`;
}

/** Describes a schema's type: `integer (int64)`, `array of Pet`, `string or null`. */
export function typeOf(schema: Schema): string {
  const { title } = schema;
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (title !== undefined && (schema.properties ?? schema.oneOf) !== undefined) return title;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(" or ");
  const type = [schema.type ?? "any value"].flat().join(" or ");
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** Renders a schema's bounds, choices, default and example as sentences, with every digit. */
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

/** Renders an example, JSON or the text of an event stream, scrollable by keyboard. */
export function exampleHtml(label: string, value: unknown): string {
  const text = typeof value === "string" ? value : writeJson(value, 2);
  return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}
