import { readJson } from "exact-json/read-json";
import type { WebhookPayload } from "./types.ts";
import { verifySignature, type WebhookHeaders, WebhookVerificationError } from "./webhook-signature.ts";

export interface VerifyOptions {
  /** Maximum difference between a delivery's time and this machine's time, in milliseconds. The default is 300,000. */
  readonly toleranceMs?: number | undefined;
  /** The current time in milliseconds since 1970. The default is this machine's time. */
  readonly now?: number | undefined;
}

const TOLERANCE_MS = 300_000;

/**
 * Verifies that a webhook delivery comes from the service, is unchanged and is recent (Standard Webhooks), and parses it. A
 * delivery may arrive twice, with the same `webhook-id`. Later versions may add event types, so ignore types that you do not
 * know. This function needs `crypto.subtle`, which web pages have only over HTTPS or on localhost.
 *
 * @param body the body as it was received, before any parsing
 * @param secret `whsec_…`; while a secret is being rotated, an array of the old and the new secret
 * @throws WebhookVerificationError
 * @throws TypeError for an invalid secret, and for a body that is neither text nor bytes
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { toleranceMs = TOLERANCE_MS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookPayload> {
  const bytes = bytesOf(body);
  const secrets = typeof secret === "string" ? [secret] : secret;
  await verifySignature(headers, bytes, { secrets, toleranceMs, now });
  const payload = parse(bytes);
  if (isPayload(payload)) return payload;
  throw new WebhookVerificationError("The signature is right, but the body is not a petstore event.");
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError(
    'The argument "body" must be the request body exactly as it was received, as text or bytes, because the signature does not match a parsed body.',
  );
}

function parse(bytes: Uint8Array): unknown {
  try {
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isPayload(value: unknown): value is WebhookPayload {
  if (typeof value !== "object" || value === null) return false;
  const { type, timestamp }: { readonly type?: unknown; readonly timestamp?: unknown } = value;
  return typeof type === "string" && typeof timestamp === "string" && "data" in value;
}
