import { ServiceError } from "../errors.ts";
import type { Route } from "./endpoint.ts";

/** Path parameters by name, percent-decoded. */
export type PathTexts = Readonly<Record<string, string>>;

/** @throws ServiceError `not_found` for a value that names no resource */
export function readPathParameters({ parameters }: Route, texts: PathTexts): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name];
    if (parameter === undefined) continue;
    const value = parameter.parse(texts[name] ?? "");
    if (value === undefined) throw new ServiceError("not_found", `${name} must be ${parameter.expected}.`);
    values[name] = value;
  }
  return values;
}

/** A value that cannot be decoded stays as it is: it names no resource. */
export function decodePathText(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
