import type { Parameters } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";

/** Path parameters by name, as sent. */
export type PathTexts = Readonly<Record<string, string>>;

/** Parses path parameters. @throws ServiceError `not_found` for a value that cannot be an identifier */
export function readPathParameters(parameters: Parameters, texts: PathTexts = {}): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name];
    if (parameter === undefined) continue;
    const text = texts[name] ?? "";
    // A value that cannot be decoded stays as it is, and is no identifier.
    values[name] = parameter.parse(decodePercent(text) ?? text);
    if (values[name] === undefined)
      throw new ServiceError("not_found", `${name} must be ${parameter.expected}.`);
  }
  return values;
}

/**
 * Parses a query string by an operation's declared parameters; each has its value or its default.
 *
 * @throws ServiceError `invalid_parameter`, whose message names the parameter and its expected values
 */
export function readQuery(search: string, parameters: Parameters): Record<string, unknown> {
  const given = splitQuery(search, parameters);
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name];
    if (parameter === undefined) continue;
    const text = given[name];
    values[name] = text === undefined ? parameter.default : parameter.parse(text);
    if (text !== undefined && values[name] === undefined)
      throw invalid(`${name} must be ${parameter.expected}.`);
  }
  return values;
}

function splitQuery(search: string, parameters: Parameters): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  if (search === "") return given;
  for (const pair of search.split("&")) {
    if (pair === "" || pair.startsWith("=")) continue;
    const equals = pair.indexOf("=");
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
    const text = decodeForm(equals < 0 ? "" : pair.slice(equals + 1));
    const parameter = name !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (name === undefined || parameter === undefined)
      throw invalid(unknownParameter(name ?? pair, parameters));
    const before = given[name];
    if (before !== undefined && !parameter.isList) throw invalid(`${name} must be given once.`);
    if (text === undefined) throw invalid(`${name} must be ${parameter.expected}.`);
    given[name] = before === undefined ? text : `${before},${text}`;
  }
  return given;
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_parameter", message);
}

function unknownParameter(name: string, parameters: Parameters): string {
  const known = Object.keys(parameters);
  const takes = known.length === 0 ? "takes no query parameters" : `takes ${known.join(", ")}`;
  return `${JSON.stringify(name.slice(0, 100))} is not a query parameter here; this operation ${takes}.`;
}

/** Decodes application/x-www-form-urlencoded. */
function decodeForm(text: string): string | undefined {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Decodes percent-encoding; undefined if it is broken. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
