import { INT64_MAX, INT64_MIN } from "exact-json/int64";
import { BODY_BYTES_MAX, PAGE_SIZE_MAX } from "../../limits.ts";

/**
 * Writes a schema that allows null. It uses the form `type: [X, "null"]`, because code generators, and converters to OpenAPI 3.0,
 * understand no other form.
 *
 * @param schema the schema as zod writes it: either `anyOf` with X and null, or a schema that allows only null
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

/** True if a schema allows only null, in the form that `withNullInType` writes. */
function isNull(schema: Readonly<Record<string, unknown>> | undefined): boolean {
  return Array.isArray(schema?.["enum"]) && schema["enum"].length === 1 && schema["enum"][0] === null;
}

/**
 * Adds limits that zod does not write: the range of 64-bit integers, because a double cannot represent this range, and a maximum
 * for every string or list that has none. The maximum is derived from the largest body or page. Removes zod's `param` metadata.
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
