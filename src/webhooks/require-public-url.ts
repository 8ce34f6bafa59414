import { invalidMember } from "../errors.ts";
import { parseHttpUrl } from "../platform/http-url.ts";
import { privateDestinationFault } from "../platform/private-destination.ts";

/** Whether webhooks may be on this machine and on private networks: `PETSTORE_WEBHOOKS_PRIVATE`. */
export interface WebhookRules {
  readonly privateDestinations: "refuse" | "allow";
}

/** @throws ServiceError `invalid_body` for an address that is private by its text alone */
export function requirePublicUrl(url: string | null, { privateDestinations }: WebhookRules): void {
  const parsed = url === null || privateDestinations === "allow" ? undefined : parseHttpUrl(url);
  const fault = parsed && privateDestinationFault(parsed, "PETSTORE_WEBHOOKS_PRIVATE");
  if (fault !== undefined) throw invalidMember("url", fault);
}
