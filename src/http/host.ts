import { ServiceError } from "../errors.ts";

/** RFC 3986 §3.2: a name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

/**
 * Checks the value of `Host` (RFC 9110 §7.2); the runtime joins several lines with commas.
 *
 * @throws ServiceError `invalid_request` when it is missing, empty, given twice or not a host
 */
export function requireHost(host: string): void {
  const match = HOST.exec(host);
  // `1.2.3.999` has the right characters and is no address.
  if (match === null || Number(match[1] ?? 0) > 65_535 || !URL.canParse(`http://${host}`))
    throw new ServiceError("invalid_request", "The Host header must name one host.");
}
