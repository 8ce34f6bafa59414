import type { Deprecation, Operation } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Call } from "./call.ts";

/** Caches each operation's header lines for the last address, because nearly all clients use the same address. */
const lastHeaders = new WeakMap<Deprecation, { readonly base: string; readonly headers: Call["headers"] }>();

/** Adds a deprecated operation's header lines to every response: RFC 9745 `Deprecation`, RFC 8594 `Sunset`, and links. */
export function announceDeprecation(
  { headers: given, addresses: { origin, base } }: Call,
  operation: Operation | undefined,
): void {
  if (operation?.deprecation === undefined) return;
  const { id, deprecation } = operation;
  let last = lastHeaders.get(deprecation);
  if (last?.base !== base) {
    const notice = `<${origin}/docs/deprecations#${id}>`;
    const links = [
      `${notice}; rel="deprecation"; type="text/html"`,
      `${notice}; rel="sunset"; type="text/html"`,
      `<${base}${deprecation.successor}>; rel="successor-version"`,
    ];
    const headers = {
      Deprecation: `@${deprecation.since / 1000}`,
      Sunset: new Date(deprecation.sunset).toUTCString(),
      Link: links.join(", "),
    };
    last = { base, headers };
    lastHeaders.set(deprecation, last);
  }
  Object.assign(given, last.headers);
}

/** Refuses an operation from its removal date on. @throws ServiceError `gone` */
export function refuseAfterSunset(deprecation: Deprecation | undefined, now: number): void {
  if (deprecation !== undefined && now >= deprecation.sunset)
    throw new ServiceError("gone", deprecation.goneMessage);
}
