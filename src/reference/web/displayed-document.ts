/** The range of a 64-bit integer as text: a `number` would round its bounds. */
export const EXACT_RANGE = "x-exact-range";

const INEXACT_BOUND = /(?<!\\)("(?:minimum|maximum)":\s*)(-?\d{16,})/g;

/**
 * The OpenAPI document for swagger-ui. Bounds beyond the range of a `number` become text in one member of their schema.
 * Examples of optional parameters move into the description: swagger-ui would send them otherwise.
 */
export function readDisplayedDocument(text: string): unknown {
  return JSON.parse(text.replaceAll(INEXACT_BOUND, '$1"$2"'), (_name, value) => displayed(value));
}

function displayed(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (value["format"] === "int64") return withExactRange(value);
  if (Array.isArray(value["enum"])) return withoutExample(value);
  const isOptionalParameter =
    typeof value["in"] === "string" && typeof value["name"] === "string" && value["required"] !== true;
  return isOptionalParameter ? withoutInitialValue(value) : value;
}

function withExactRange(schema: Members): Members {
  const { minimum, maximum, ...others } = schema;
  if (typeof minimum !== "string" && typeof maximum !== "string") return schema;
  return { ...others, [EXACT_RANGE]: `[${minimum}, ${maximum}]` };
}

function withoutExample({ example: _, ...schema }: Members): Members {
  return schema;
}

function withoutInitialValue(parameter: Members): Members {
  const { example, schema, description, ...others } = parameter;
  const { default: preset, ...rest } = isObject(schema) ? schema : {};
  const notes = [
    ...(example === undefined ? [] : [`Example: \`${String(example)}\`.`]),
    ...(preset === undefined ? [] : [`Default: \`${String(preset)}\`.`]),
  ];
  return { ...others, schema: withoutExample(rest), description: [description, ...notes].join(" ") };
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
