import { type RandomBytes, randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";

/** What a link carries, and what is stored of it. */
export function createLinkToken(randomBytes: RandomBytes): { token: string; tokenHash: Uint8Array } {
  const token = randomSecret(randomBytes);
  return { token, tokenHash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): Uint8Array {
  return sha256(token);
}

/** In the fragment: browsers do not send it, so that no log or proxy has it. */
export function invitationLink(origin: string, token: string): string {
  return `${origin}/invitation#${token}`;
}

export function resetLink(origin: string, token: string): string {
  return `${origin}/reset-password#${token}`;
}
