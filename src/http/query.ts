import type { Parameters } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";

/**
 * Reads a query string by the parameters an operation declares; each has its value or its default.
 *
 * @throws ServiceError `invalid_parameter`, whose message names the parameter and its expected values
 */
export function readQuery(search: string, parameters: Parameters = {}): Record<string, unknown> {
  const given = splitQuery(search, parameters);
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name];
    if (parameter === undefined) continue;
    const text = given?.[name];
    if (text === undefined) {
      values[name] = parameter.default;
      continue;
    }
    const value = parameter.parse(text);
    if (value === undefined)
      throw new ServiceError("invalid_parameter", `${name} must be ${parameter.expected}.`);
    values[name] = value;
  }
  return values;
}

function splitQuery(search: string, parameters: Parameters): Readonly<Record<string, string>> | undefined {
  if (search === "") return undefined;
  // Of declared names only.
  const given: Record<string, string> = {};
  for (const pair of search.split("&")) {
    if (pair === "" || pair.startsWith("=")) continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const text = decode(equals < 0 ? "" : pair.slice(equals + 1));
    const parameter = name !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (name === undefined || parameter === undefined) {
      throw new ServiceError("invalid_parameter", unknownParameter(name ?? pair, parameters));
    }
    const before = given[name];
    if (before !== undefined && !parameter.isList)
      throw new ServiceError("invalid_parameter", `${name} must be given once.`);
    if (text === undefined)
      throw new ServiceError("invalid_parameter", `${name} must be ${parameter.expected}.`);
    given[name] = before === undefined ? text : `${before},${text}`;
  }
  return given;
}

function unknownParameter(name: string, parameters: Parameters): string {
  const known = Object.keys(parameters);
  const takes = known.length === 0 ? "takes no query parameters" : `takes ${known.join(", ")}`;
  return `${JSON.stringify(name.slice(0, 100))} is not a query parameter here; this operation ${takes}.`;
}

/** application/x-www-form-urlencoded text, or undefined when its percent-encoding is broken. */
function decode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
