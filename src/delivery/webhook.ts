import { createHmac } from "node:crypto";
import querystring from "node:querystring";
import packageJson from "../../package.json" with { type: "json" };
import type { PrivateDestinations } from "../config.ts";
import { writeJson } from "../contract/json/json.ts";
import { DELIVERY_TIMEOUT_MS } from "../limits.ts";
import type { QueuedMessage } from "../messages/store.ts";
import { findAddresses, post, type Resolve, requirePublic } from "./destination.ts";
import type { Answer } from "./source.ts";

/** Hands one message to its destination. Rejects, like a refusal, when the destination cannot be reached. */
export type Deliver = (message: QueuedMessage, now: number, signal: AbortSignal) => Promise<Answer>;

/** Without a webhook the stored message is the inbox, and counts as delivered. */
export const deliverToInbox: Deliver = async () => ({ outcome: "delivered" });

interface Webhook {
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  readonly privateDestinations: PrivateDestinations;
  readonly resolve?: Resolve;
}

/**
 * Posts messages to a webhook, signed as Standard Webhooks asks. A name is looked up once an attempt, and the connection
 * goes to the very addresses that were looked at: what the name leads to a moment later makes no difference.
 */
export function deliverToWebhook({ url, secret, privateDestinations, resolve }: Webhook): Deliver {
  const target = new URL(url);
  return async (message, now, stop) => {
    const body = writeJson({
      type: "message.submitted",
      timestamp: message.createdAt,
      data: {
        id: message.id,
        message: message.message,
        createdAt: message.createdAt,
        environment: message.environment,
      },
    });
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": `petstore/${packageJson.version}`,
      ...authorizationOf(target),
      ...signatureHeaders(secret, message.id, now, body),
    };
    const signal = AbortSignal.any([stop, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
    const addresses = await findAddresses(target, signal, resolve);
    if (privateDestinations === "refuse") requirePublic(addresses);
    const response = await post(target, addresses, { headers, body, signal });
    await response.body?.cancel();
    const { ok, status } = response;
    return { outcome: ok ? "delivered" : status === 410 ? "gone" : "refused", status };
  };
}

/** A user and a password in an address are for its owner (RFC 7617). */
function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const credentials = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`.
 *
 * @param secret `whsec_` and 24 to 64 bytes in base64
 * @param now milliseconds since 1970: the time of this attempt
 */
export function signatureHeaders(
  secret: string,
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
