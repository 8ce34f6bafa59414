import { ServiceError } from "../errors.ts";
import type { RequestContext } from "./request-context.ts";

/** RFC 3986 §3.2: a name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

/**
 * The authority the client spoke to (RFC 9110 §7.2).
 *
 * @throws ServiceError `invalid_request` when it is missing, empty, given twice or not a host
 */
export function requireHost({ request }: RequestContext): string {
  const host = request.headers.get("host") ?? "";
  const parts = HOST.exec(host);
  if (parts === null || Number(parts[1] ?? 0) > 65_535 || !isAuthority(host)) {
    throw new ServiceError("invalid_request", "The Host header must name one host.");
  }
  return host;
}

let lastHost = "";

/** Whether an address can be made of it, which `1.2.3.999` looks like and is not; nearly every request has the same. */
function isAuthority(host: string): boolean {
  if (host === lastHost) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}
