import type { Browser } from "../../context.ts";
import { ServiceError } from "../../errors.ts";

/** The site that a passkey is for (WebAuthn Level 3 §5.4.2): devices use it there alone. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * @throws ServiceError `forbidden` where browsers have no passkeys: at an address without HTTPS, except `localhost`,
 *   and at an IP address
 */
export function relyingPartyOf({ origin }: Browser): RelyingParty {
  const { protocol, hostname } = new URL(origin);
  if (
    hostname === "localhost" ||
    (protocol === "https:" && /[a-z]/i.test(hostname) && !hostname.startsWith("["))
  )
    return { id: hostname, origin };
  throw new ServiceError(
    "forbidden",
    "Passkeys need an https address, or localhost. Open the console there, or set PETSTORE_PRODUCTION_URL and PETSTORE_STAGING_URL to the https addresses.",
  );
}
