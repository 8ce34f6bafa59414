import type { Deprecation, Operation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { RequestAddresses, RequestContext } from "./request-context.ts";

/** The last header lines of each operation: nearly all clients use the same base address. */
const lastHeaders = new WeakMap<
  Deprecation,
  { readonly base: string; readonly headers: Record<string, string> }
>();

/** Adds to every response, errors included, the header lines of an operation that is deprecated. */
export function announceDeprecation(
  { headers, addresses }: RequestContext,
  operation: Operation | undefined,
): void {
  if (operation?.deprecation === undefined) return;
  Object.assign(headers, deprecationHeaders(operation.deprecation, operation.id, addresses));
}

/** RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and links to the reason and to the successor. */
function deprecationHeaders(
  deprecation: Deprecation,
  operationId: string,
  addresses: RequestAddresses,
): Readonly<Record<string, string>> {
  const last = lastHeaders.get(deprecation);
  if (last?.base === addresses.base) return last.headers;
  const headers = makeHeaders(deprecation, operationId, addresses);
  lastHeaders.set(deprecation, { base: addresses.base, headers });
  return headers;
}

function makeHeaders(
  { since, sunset, successor }: Deprecation,
  operationId: string,
  addresses: RequestAddresses,
) {
  const notice = `<${addresses.origin}/docs/deprecations#${operationId}>`;
  return {
    Deprecation: `@${since / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: [
      `${notice}; rel="deprecation"; type="text/html"`,
      `${notice}; rel="sunset"; type="text/html"`,
      `<${addresses.base}${successor}>; rel="successor-version"`,
    ].join(", "),
  };
}

/** @throws ServiceError `gone` from the removal date on */
export function refuseAfterSunset(deprecation: Deprecation | undefined, now: number): void {
  if (deprecation !== undefined && now >= deprecation.sunset)
    throw new ServiceError("gone", deprecation.goneMessage);
}
