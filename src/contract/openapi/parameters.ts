import { z } from "zod";
import type { Parameters } from "../operation.ts";
import { resourceOf } from "../operation-errors.ts";
import { pagingParameters } from "../parameter.ts";

/**
 * Schemas of the parameters that become OpenAPI components, keyed by the component's name. They are kept, because zod-openapi
 * recognizes a component only if it gets the same schema object each time.
 */
const components = new Map<string, z.ZodType>();

/** Creates the schema of an operation's parameters for zod-openapi. Path parameters, `limit` and `cursor` become components. */
export function parameterSchemas(location: "path" | "query", parameters: Parameters = {}): z.ZodObject {
  const entries = Object.entries(parameters).map(([name, parameter]) => {
    const id = location === "path" ? `${resourceOf(name)}Id` : pagingComponent(parameter);
    const schema = components.get(id ?? "") ?? parameterSchema(location, parameter, id);
    if (id !== undefined) components.set(id, schema);
    return [name, schema];
  });
  return z.object(Object.fromEntries(entries));
}

function pagingComponent(parameter: unknown): string | undefined {
  if (parameter === pagingParameters.limit) return "Limit";
  return parameter === pagingParameters.cursor ? "Cursor" : undefined;
}

function parameterSchema(
  location: "path" | "query",
  { description, schema, example, isList }: Parameters[string],
  id: string | undefined,
): z.ZodType {
  const param = {
    ...(id && { id }),
    description,
    ...(example === undefined ? {} : { example }),
    // `style` and `explode` document the form `id=1,2`. The description says that the parameter may also be repeated.
    ...(isList ? { style: "form" as const, explode: false } : {}),
  };
  return (location === "path" ? schema : schema.optional()).meta({ param });
}
