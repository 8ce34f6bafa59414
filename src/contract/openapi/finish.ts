import { INT64_MAX, INT64_MIN } from "exact-json/int64";
import { BODY_BYTES_MAX, PAGE_SIZE_MAX } from "../../limits.ts";

/**
 * The one form of a schema that allows null: `type: [X, "null"]`. Generators and converters to OpenAPI 3.0 know no other.
 *
 * @param schema one in zod's form: `anyOf` of X and null, or null alone
 */
function withNullInType(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (schema["type"] === "null") return { ...schema, type: ["string", "null"], enum: [null] };
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [own, nothing] = anyOf as readonly Readonly<Record<string, unknown>>[];
  if (anyOf.length !== 2 || typeof own?.["type"] !== "string" || !isNull(nothing)) return schema;
  const { type, enum: words } = own;
  return { ...own, ...others, type: [type, "null"], ...(Array.isArray(words) && { enum: [...words, null] }) };
}

/** True for null alone, as `withNullInType` writes it. */
function isNull(schema: Readonly<Record<string, unknown>> | undefined): boolean {
  return Array.isArray(schema?.["enum"]) && schema["enum"].length === 1 && schema["enum"][0] === null;
}

/**
 * Adds 64-bit bounds, which zod-openapi cannot emit because a double cannot hold them, and the bounds of texts and lists
 * without one of their own: no text is longer than the largest body, no list than a page. Removes zod's `param` metadata.
 */
export function finish(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(finish);
  if (typeof node !== "object" || node === null) return node;
  const { param: _, ...finished } = Object.fromEntries(
    Object.entries(node).map(([name, value]): [string, unknown] => [name, finish(value)]),
  );
  const members = withNullInType(finished);
  const { type } = members;
  if (type === "array") return { ...members, maxItems: members["maxItems"] ?? PAGE_SIZE_MAX };
  if ([type].flat().includes("string") && !("enum" in members || "const" in members))
    return { ...members, maxLength: members["maxLength"] ?? BODY_BYTES_MAX };
  if (members["format"] !== "int64") return members;
  return { ...members, minimum: members["minimum"] ?? INT64_MIN, maximum: members["maximum"] ?? INT64_MAX };
}
