import type { Deprecation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";

/** RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and links to the reason and to the successor. */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  operationId: string,
  addresses: { readonly origin: string; readonly base: string },
): Record<string, string> {
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
    throw new ServiceError("gone", deprecation.farewell);
}
