import { createHmac } from "node:crypto";
import { writeJson } from "../contract/json.ts";
import { DELIVERY_TIMEOUT_MS } from "../limits.ts";
import type { Message } from "../messages/contract.ts";

/** How one attempt ended; `gone` means that the destination wants no more of it (410). */
export type Outcome = "delivered" | "refused" | "gone";

/** Hands one message to its destination. Rejects, like a refusal, when the destination cannot be reached. */
export type Deliver = (message: Message, now: number, signal: AbortSignal) => Promise<Outcome>;

/** Without a webhook, the stored message is the inbox: there is nowhere to carry it. */
export const deliverToInbox: Deliver = async () => "delivered";

/** Posts messages to a webhook, signed as Standard Webhooks asks. */
export function deliverToWebhook(url: string, secret: string): Deliver {
  return async (message, now, signal) => {
    const body = writeJson({
      type: "message.submitted",
      timestamp: message.createdAt,
      data: { id: message.id, message: message.message, createdAt: message.createdAt },
    });
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...signatureHeaders(secret, message.id, now, body) },
      body,
      // A redirect is a refusal: what was signed for one place is not carried to another.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (response.ok) return "delivered";
    return response.status === 410 ? "gone" : "refused";
  };
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
