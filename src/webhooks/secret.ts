import type { RandomBytes } from "../platform/random.ts";

const SECRET_BYTES = 32;

/** Creates a secret for signatures (Standard Webhooks): `whsec_` followed by 32 random bytes in base64. */
export function createWebhookSecret(randomBytes: RandomBytes): string {
  return `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString("base64")}`;
}
