import type { Parameters } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";

export type NamedParameter = readonly [name: string, parameter: Parameters[string]];

/** Parses path parameters. @throws ServiceError `not_found` for a value that cannot be an identifier */
export function readPathParameters(
  parameters: readonly NamedParameter[],
  texts: readonly string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [index, [name, parameter]] of parameters.entries()) {
    const text = texts[index] ?? "";
    // A path parameter that cannot be decoded stays encoded. It is then refused, because it is not a valid identifier.
    values[name] = parameter.parse(decodePercent(text) ?? text);
    if (values[name] === undefined)
      throw new ServiceError("not_found", `${name} must be ${parameter.expected}.`);
  }
  return values;
}

/**
 * Parses a query string, and adds each parameter's value, or its default, to `values`.
 *
 * @throws ServiceError `invalid_parameter`, whose message names the parameter and its valid values
 */
export type QueryReader = (search: string, values: Record<string, unknown>) => Record<string, unknown>;

type Texts = Readonly<Record<string, string>>;
const NO_TEXTS: Texts = {};

export function createQueryReader(parameters: Parameters): QueryReader {
  const named: readonly NamedParameter[] = Object.entries(parameters);
  const byName = new Map(named);
  return (search, values) => {
    const given = search === "" ? NO_TEXTS : splitQuery(search, byName);
    for (const [name, parameter] of named) {
      const text = given[name];
      const value = text === undefined ? parameter.default : parameter.parse(text);
      if (text !== undefined && value === undefined) throw invalid(`${name} must be ${parameter.expected}.`);
      values[name] = value;
    }
    return values;
  };
}

function splitQuery(search: string, parameters: ReadonlyMap<string, Parameters[string]>): Texts {
  const given: Record<string, string> = {};
  for (const pair of search.split("&")) {
    if (pair === "" || pair.startsWith("=")) continue;
    const equals = pair.indexOf("=");
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
    const text = decodeForm(equals < 0 ? "" : pair.slice(equals + 1));
    const parameter = name === undefined ? undefined : parameters.get(name);
    if (name === undefined || parameter === undefined)
      throw invalid(unknownParameter(name ?? pair, parameters));
    const before = given[name];
    if (before !== undefined && !parameter.isList) throw invalid(`${name} must be given only once.`);
    if (text === undefined) throw invalid(`${name} must be ${parameter.expected}.`);
    given[name] = before === undefined ? text : `${before},${text}`;
  }
  return given;
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_parameter", message);
}

function unknownParameter(name: string, parameters: ReadonlyMap<string, unknown>): string {
  const known = [...parameters.keys()];
  const takes = known.length === 0 ? "takes no query parameters" : `takes ${known.join(", ")}`;
  return `${JSON.stringify(name.slice(0, 100))} is not a query parameter here; this operation ${takes}.`;
}

/** Decodes a name or value in the format application/x-www-form-urlencoded. */
function decodeForm(text: string): string | undefined {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Decodes percent-encoding. @returns undefined if it is malformed */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
