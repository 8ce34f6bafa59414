import type { Environment } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Call } from "../http/call.ts";

// The browser sends the header `Origin` (Fetch §3.2.5), and a page cannot change it. But it is not enough to compare `Origin`
// with the request's host, because any host name can resolve to this machine (DNS rebinding). So the host is checked too.

/** The host names, besides loopback, that people may use to open the console's pages. */
export type AllowedNames = "public" | "any" | "none";

/** Refuses a request from a page whose origin is not allowed. @throws ServiceError `forbidden` */
export type RequireOrigin = (call: Call) => void;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/**
 * Requires that a change comes from a page with the same origin as the service. The host must be loopback or the host of the public
 * URL. If the service is on a network and has no public URL, any host in `Host` is allowed.
 */
export function requireOwnOrigin(names: AllowedNames, environment: Environment): RequireOrigin {
  return ({ request, method, addresses }) => {
    if (method === "GET") return;
    const from = request.headers.get("origin") ?? "";
    const host = request.headers.get("host") ?? "";
    const isHere = from === `http://${host}` || from === `https://${host}`;
    if (isHere && (names === "any" || LOOPBACK.test(host))) return;
    if (names === "public" && from === addresses.origin) return;
    // The error message does not repeat `Origin` or `Host`, because they may contain a secret, and a response must not contain
    // one.
    const variable = `PETSTORE_${environment.toUpperCase()}_URL`;
    const advice =
      names === "public"
        ? `Open the console at ${addresses.origin}, or set ${variable} to the new address of the console.`
        : `If petstore is behind a proxy, set ${variable} to the public address, such as https://pets.example.com/v1.`;
    throw new ServiceError(
      "forbidden",
      `The console does not accept changes from the address at which you opened this page. ${advice}`,
    );
  };
}

/**
 * Requires that a request comes from a page of production's console. Without this check, any website could sign a person in to
 * staging, with an account that the website chooses.
 */
export function requireProductionOrigin(names: AllowedNames, production: () => string): RequireOrigin {
  return ({ request, addresses }) => {
    const isHere = names !== "none" || LOOPBACK.test(request.headers.get("host") ?? "");
    const from = request.headers.get("origin");
    if (isHere && from !== null && from === siblingOrigin(addresses.origin, production())) return;
    throw new ServiceError("forbidden", "Only the production console can sign a person in to staging.");
  };
}

/**
 * Returns the origin of the other environment's console, as the browser sees it. Returns undefined if only one of the two
 * consoles uses HTTPS. In that case, the token would be sent unencrypted, or an unencrypted page would sign somebody in.
 *
 * @param own origin of this environment's console
 * @param address base address of the other environment's service
 */
export function siblingOrigin(own: string, address: string): string | undefined {
  const { origin, protocol } = new URL(asSeenFrom(own, address));
  return protocol === new URL(own).protocol ? origin : undefined;
}

/** Replaces `localhost` in a service's URL with the host name that the browser used. */
export function asSeenFrom(origin: string, address: string): string {
  const url = new URL(address);
  if (url.hostname !== "localhost") return address;
  url.hostname = new URL(origin).hostname;
  return url.href.replace(/\/$/, "");
}
