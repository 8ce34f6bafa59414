import { PASSKEY_CHALLENGE_MS } from "../../limits.ts";
import type { RandomBytes } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Database, Query } from "../../storage/database.ts";
import { putChallenge, selectChallenge, takeChallenge } from "./store.ts";

/** 256 bits; WebAuthn Level 3 §13.4.3 asks for 128. */
const CHALLENGE_BYTES = 32;

/**
 * Makes the one challenge that a holder may answer.
 *
 * @param holder a session's identifier, or the token of a cookie
 * @returns base64url
 */
export async function beginChallenge(
  query: Query,
  randomBytes: RandomBytes,
  holder: string,
  now: number,
): Promise<string> {
  const challenge = base64url(randomBytes(CHALLENGE_BYTES));
  await query(putChallenge, [hashOf(holder), challenge, now + PASSKEY_CHALLENGE_MS]);
  return challenge;
}

/** Takes the challenge of one of these holders, so that it is answered once; undefined where it was, or has expired. */
export async function endChallenge(
  { read, run }: Database,
  holders: readonly string[],
  now: number,
): Promise<string | undefined> {
  for (const holder of holders.map(hashOf)) {
    if ((await read(selectChallenge, [holder])).length === 0) continue;
    const [challenge] = await run(takeChallenge, [holder, now]);
    if (challenge !== undefined) return challenge;
  }
  return undefined;
}

export function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function hashOf(holder: string): string {
  return base64url(sha256(holder));
}
