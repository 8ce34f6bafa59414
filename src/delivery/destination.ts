import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { errorCode } from "../errors.ts";
import { DELIVERY_TIMEOUT_MS } from "../limits.ts";
import { isPublicAddress, unbracketHost } from "../platform/ip-address.ts";

export type Resolve = (name: string) => Promise<readonly string[]>;

/** The error of a failed delivery attempt. Its message never contains the URL, because the URL may contain a secret. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

/**
 * Returns the text to record for a failed delivery attempt. Only the message of a `DeliveryError` is recorded, because other errors
 * may contain a secret.
 */
export function deliveryErrorText(error: unknown): string {
  return error instanceof DeliveryError ? error.message : "The attempt failed. The log gives the reason.";
}

async function resolveAll(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Finds all IP addresses of a destination. @throws DeliveryError if the name cannot be resolved */
export async function findAddresses(
  { hostname }: URL,
  signal: AbortSignal,
  resolve: Resolve = resolveAll,
): Promise<readonly string[]> {
  const host = unbracketHost(hostname);
  if (isIP(host) !== 0) return [host];
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
  try {
    return await Promise.race([resolve(host), stopped]);
  } catch (error) {
    throw new DeliveryError(`The host name of the webhook could not be looked up (${errorCode(error)}).`);
  }
}

/**
 * Refuses a destination if any of its IP addresses is private, because a name with both public and private addresses may be an
 * attack (DNS rebinding).
 *
 * @param setting the name of the setting that allows private addresses, for the error message
 * @throws DeliveryError
 */
export function requirePublic(addresses: readonly string[], setting: string): void {
  const found = addresses.find((address) => !isPublicAddress(address));
  if (found === undefined) return;
  throw new DeliveryError(
    `The host name of the webhook has the private address ${found}. To allow deliveries to private addresses, set ${setting}=allow.`,
  );
}

/**
 * Error codes for a connection that could not be opened. In that case, nothing was sent, so the next address can be tried without
 * delivering twice.
 */
const UNREACHED: readonly unknown[] = [
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  ...["ConnectionRefused", "FailedToOpenSocket"],
];

/** Posts to the first IP address that accepts a connection. @throws DeliveryError if none does, or if the connection breaks */
export async function post(
  target: URL,
  addresses: readonly string[],
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<Response> {
  let reason: unknown;
  for (const address of addresses) {
    try {
      return await fetch(addressed(target, address), {
        method: "POST",
        headers: { ...headers, Host: target.host },
        body,
        // The connection goes to an IP address, but the certificate has to be for the host name.
        ...(address !== unbracketHost(target.hostname) && { tls: { serverName: target.hostname } }),
        // Redirects are not followed, because a body that was signed for one address must not be sent to another.
        redirect: "manual",
        signal,
      });
    } catch (error) {
      reason = errorCode(error);
      if (!UNREACHED.includes(reason)) break;
    }
  }
  if (reason === "TimeoutError")
    throw new DeliveryError(`The webhook did not answer within ${DELIVERY_TIMEOUT_MS / 1_000} s.`);
  throw new DeliveryError(`The webhook could not be reached (${reason ?? "its host name has no address"}).`);
}

/** Returns the status of a response, and discards its body. @throws DeliveryError if the status is invalid (RFC 9110 §15) */
export async function readStatus({ status, body }: Response): Promise<number> {
  // `cancel` fails if the body does not match its `Content-Encoding`. That error is ignored, because it contains the address.
  await body?.cancel().catch(() => undefined);
  if (status >= 100 && status <= 599) return status;
  throw new DeliveryError(`The webhook answered ${status}, which is not an HTTP status.`);
}

/** Replaces the host in a URL with an IP address, and removes the user name and password. */
function addressed(target: URL, address: string): string {
  const url = new URL(target);
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  url.username = "";
  url.password = "";
  return url.href;
}
