import type { RandomBytes } from "../platform/random.ts";
import { randomBase62 } from "../platform/random.ts";
import { sha256 } from "../platform/sha256.ts";

/** 43 characters of base62 hold 256 bits. */
const TOKEN_LENGTH = 43;

/** What a link carries, and what is stored of it. */
export function createLinkToken(randomBytes: RandomBytes): { token: string; tokenHash: Uint8Array } {
  const token = randomBase62(randomBytes, TOKEN_LENGTH);
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
