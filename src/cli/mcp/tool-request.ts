import { withQuery } from "../../../client/src/address.ts";
import type { DocumentedOperation } from "../../contract/operation.ts";
import { ArgumentError, allowsNull, integersIn, type JsonSchema } from "./tool-schemas.ts";
import type { Tool } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** Builds the HTTP request for a tool call. @throws ArgumentError for values that cannot be sent in a request */
export function requestOf({ operation, baseUrl, accepts }: Tool, given: Arguments) {
  refuseUnknown(operation, accepts, given);
  const values: Arguments = Object.fromEntries(
    Object.entries(integersIn(given, [accepts]) ?? {}).filter(
      ([name, value]) => value !== null || mayBeNull(accepts, name),
    ),
  );
  const { pathParameters = {}, query = {}, success } = operation;
  const queryNames = Object.keys(query).filter((name) => values[name] !== undefined);
  const outsideBody = new Set([...Object.keys(pathParameters), ...Object.keys(query), "ifMatch"]);
  const members = Object.entries(values).filter(([name]) => !outsideBody.has(name));
  const { ifMatch } = values;
  return {
    method: operation.method,
    address: withQuery(
      `${baseUrl}${pathOf(operation, values)}`,
      Object.fromEntries(queryNames.map((name) => [name, textOf(values[name])])),
    ),
    body: operation.body && Object.fromEntries(members),
    expects: success.paged ? "list" : success.schema === undefined ? "nothing" : "object",
    ifMatch: ifMatch === undefined ? undefined : textOf(ifMatch),
  } as const;
}

function refuseUnknown(operation: DocumentedOperation, accepts: JsonSchema, given: Arguments): void {
  const known = Object.keys(accepts.properties ?? {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ArgumentError(
    `${JSON.stringify(unknown)} is not an argument of ${operation.id}, which takes ${known.join(", ") || "no arguments"}.`,
  );
}

/**
 * True if null has a meaning for the argument, and must be sent. For any other argument, null means that the agent leaves the
 * argument out.
 */
function mayBeNull({ required = [], properties }: JsonSchema, name: string): boolean {
  const schema = properties?.[name];
  return required.includes(name) || (typeof schema === "object" && allowsNull(schema));
}

/** Converts a tool's argument to the string that the request contains. A list becomes `1,2`. */
function textOf(value: unknown): string {
  if ([value].flat().some((one) => one === null || one instanceof Object))
    throw new ArgumentError(
      "An argument is null or an object. Use a string, a number, a boolean, or a list of these.",
    );
  return String(value);
}

/**
 * Inserts the parameters into an operation's path.
 *
 * @throws ArgumentError for an identifier that would turn the path into that of another operation
 */
function pathOf({ path, pathParameters = {} }: DocumentedOperation, values: Arguments): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = pathParameters[name];
    const text = textOf(values[name] ?? "");
    if (parameter?.parse(text) === undefined)
      throw new ArgumentError(`${name} must be ${parameter?.expected}.`);
    return encodeURIComponent(text);
  });
}
