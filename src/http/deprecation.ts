import type { Deprecation, Operation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Call, RequestAddresses } from "./call.ts";

/** Adds the headers that announce a deprecation to the response: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and links. */
export function announceDeprecation(
  { headers, addresses }: Pick<Call, "headers" | "addresses">,
  operation: Operation | undefined,
): void {
  if (operation?.deprecation === undefined) return;
  const { id, deprecation } = operation;
  const lines = addresses.made?.deprecations.get(id) ?? linesOf(id, deprecation, addresses);
  addresses.made?.deprecations.set(id, lines);
  Object.assign(headers, lines);
}

function linesOf(id: string, { since, sunset, successor }: Deprecation, { origin, base }: RequestAddresses) {
  const notice = `<${origin}/docs/deprecations#${id}>`;
  const links = [
    `${notice}; rel="deprecation"; type="text/html"`,
    `${notice}; rel="sunset"; type="text/html"`,
    `<${base}${successor}>; rel="successor-version"`,
  ];
  return {
    Deprecation: `@${since / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: links.join(", "),
  };
}

/** Refuses an operation once its removal date has been reached. @throws ServiceError `gone` */
export function refuseAfterSunset(deprecation: Deprecation | undefined, now: number): void {
  if (deprecation !== undefined && now >= deprecation.sunset)
    throw new ServiceError("gone", deprecation.goneMessage);
}
