import { writeJson } from "../../contract/json/json.ts";
import { BODY_BYTES_MAX } from "../../limits.ts";
import { escapeHtml, renderMarkdown } from "../markdown.ts";
import type { Schema } from "./described-document.ts";

/** Renders the body of a request or an error: its media types, description and members. */
export function bodySchemaHtml(schema: Schema, mediaTypes: readonly string[]): string {
  const types = mediaTypes.map((type) => `<code>${type}</code>`).join(" or ");
  return `<p>${types}. ${renderMarkdown(schema.description ?? "")}</p>${partsOf(schema)}`;
}

/** Renders the body of a response: its media type, and a link to the object that it contains. */
export function answerSchemaHtml(schema: Schema, mediaType: string): string {
  const text = isObject(schema.items ?? schema) ? "" : ` ${renderMarkdown(schema.description ?? "")}`;
  return `<p><code>${mediaType}</code> <span class="type">${typeOf(schema)}</span>${text}</p>`;
}

/**
 * Renders an object that occurs in responses and deliveries. The descriptions of these responses and deliveries link to the
 * object.
 */
export function objectHtml(schema: Schema): string {
  const { title = "", description: text = "", oneOf } = schema;
  const alternatives = oneOf === undefined ? "" : `<p>${oneOf.map(typeOf).join(" or ")}</p>`;
  return `<article class="object" aria-labelledby="${title}">
<h3 id="${title}">${title}</h3>
<p>${renderMarkdown(text)}</p>
${alternatives}${schema.properties === undefined ? "" : membersHtml(schema)}
</article>`;
}

/** Returns the named objects in a schema. Each object comes before the objects that it contains. */
export function objectsIn(schema: Schema): readonly Schema[] {
  const { properties = {}, items } = schema;
  const parts = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...alternativesOf(schema),
  ];
  return [...(isObject(schema) ? [schema] : []), ...parts.flatMap(objectsIn)];
}

function isObject({ title, properties, oneOf }: Schema): boolean {
  return title !== undefined && (properties ?? oneOf) !== undefined;
}

/** Renders the members of a schema for which the page has no separate section. */
function partsOf(schema: Schema): string {
  if (schema.properties !== undefined) return membersHtml(schema);
  return schema.items === undefined || isObject(schema.items) ? "" : partsOf(schema.items);
}

function alternativesOf({ oneOf = [], anyOf = [], allOf = [] }: Schema): readonly Schema[] {
  return [...oneOf, ...anyOf, ...allOf];
}

function membersHtml({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    // The example of a member is left out, because the example of the whole body contains a value for each member. The
    // description of an object is left out, because the object has its own section.
    const { example: _, ...limits } = schema;
    const text =
      schema.description === undefined || isObject(schema) ? "" : `${renderMarkdown(schema.description)} `;
    const parts = isObject(schema) ? "" : partsOf(schema);
    const optional = required.includes(name) ? "" : ' <span class="optional">optional</span>';
    return `<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${optional}</dt>
<dd>${text}${limitsOf(limits)}${parts}</dd>`;
  });
  return `<dl class="members">\n${members.join("\n")}\n</dl>`;
}

/** Describes a schema's type, such as `integer (int64)`, `array of Pet` or `string or null`. The name of an object is a link. */
export function typeOf(schema: Schema): string {
  const { title } = schema;
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (isObject(schema)) return `<a href="#${title}">${title}</a>`;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(" or ");
  const [own = "", ...others] = [schema.type ?? "any value"].flat();
  return [schema.format === undefined ? own : `${own} (${schema.format})`, ...others].join(" or ");
}

/** Renders a schema's limits, allowed values, default and example as sentences. Numbers keep all their digits. */
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
    ...range(minLength, ownLimit(maxLength), " character"),
    ...range(minItems, ownLimit(maxItems), " item"),
    ...(schema.enum === undefined ? [] : [`One of ${schema.enum.map(code).join(", ")}.`]),
    ...(schema.const === undefined ? [] : [`Always ${code(schema.const)}.`]),
    ...(schema.default === undefined ? [] : [`Default ${code(schema.default)}.`]),
    ...(schema.example === undefined ? [] : [`Example ${code(schema.example)}.`]),
  ]
    .map((sentence) => `<span class="limit">${sentence}</span>`)
    .join(" ");
}

/**
 * Returns the limit of a member. Returns undefined if it is only the maximum size of the whole body, because that says nothing
 * about the member.
 */
function ownLimit(limit: unknown): unknown {
  return limit === BODY_BYTES_MAX ? undefined : limit;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === "string" ? value : writeJson(value))}</code>`;
}

/** Renders an example, either JSON or the text of an event stream. The block can be scrolled with the keyboard. */
export function exampleHtml(label: string, value: unknown): string {
  const text = typeof value === "string" ? value : writeJson(value, 2);
  return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}
