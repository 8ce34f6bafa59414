import type { Reply } from "../wire/send.ts";
import type { Described } from "./document.ts";
import { type Case, send } from "./provocations.ts";

const HEADER = "Petstore-Simulate";

/** Causes an error that the operation declares, with the header `Petstore-Simulate`. */
export function sendSimulated(of: Omit<Case, "success">, code: string): Promise<Reply> {
  const target = of.operation.path.replaceAll(/\{\w+\}/g, "1");
  return send(of, { target, headers: { [HEADER]: code } });
}

export function takesSimulations({ parameters }: Described): boolean {
  return parameters.some(({ name }) => name === HEADER);
}

/** Headers that are not compared, because they differ between any two responses, or between a simulated and a real one. */
const ASIDE = ["date", "x-request-id", "content-length", "petstore-simulated"];
/**
 * Errors that have no rate limit headers, because they occur before the service counts the request: an invalid `Host`, and a
 * request for which no slot is free.
 */
const UNCOUNTED = ["invalid_request", "unavailable"];

/**
 * Returns a difference if a simulated error does not equal any of the real errors. Identifiers, seconds and ports are not compared.
 */
export function otherThanReal(code: string, simulated: Reply, real: readonly Reply[]): string | undefined {
  if (simulated.headers.get("Petstore-Simulated") !== "true") return "has no Petstore-Simulated";
  if (real.some(({ headers }) => headers.has("Petstore-Simulated")))
    return "has a real answer that says it is not";
  const textOf = ({ status, headers, body }: Reply) => {
    const lines = [...headers].filter(
      ([name]) => !ASIDE.includes(name) && !(UNCOUNTED.includes(code) && name.startsWith("ratelimit")),
    );
    return withoutNumbers(JSON.stringify([status, lines.sort(), body]));
  };
  const found = textOf(simulated);
  const texts = real.map(textOf);
  return texts.includes(found) ? undefined : `simulated is ${found}, and real ${texts.join(" or ")}`;
}

/** Removes identifiers, seconds and addresses from a text. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(/https?:[/]{2}[^/]*/g, "").replaceAll(/\d+/g, "1");
}
