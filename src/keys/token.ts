import { ENVIRONMENTS, type Environment } from "../context.ts";
import { type RandomBytes, randomSecret, toBase62 } from "../platform/random.ts";
import { sha256 } from "../platform/sha256.ts";

/**
 * An API key: `pet_live_<secret>_<check>`. The prefix says its environment; the check lets a secret
 * scanner know it and a mistyped key be refused without asking the database.
 */
const PREFIX: Record<Environment, string> = { production: "pet_live_", staging: "pet_test_" };

/** CRC-32 in base62. */
const CHECK_LENGTH = 6;

export function createToken(environment: Environment, randomBytes: RandomBytes): string {
  const text = PREFIX[environment] + randomSecret(randomBytes);
  return `${text}_${checksum(text)}`;
}

/** Which environment a key is for, judged by its prefix alone; undefined for what is not a key of ours. */
export function environmentOfToken(token: string): Environment | undefined {
  return ENVIRONMENTS.find((environment) => token.startsWith(PREFIX[environment]));
}

/** Whether the text has a key's shape and its check agrees with it. */
export function isWellFormedToken(token: string): boolean {
  const end = token.length - CHECK_LENGTH - 1;
  return (
    /^pet_(live|test)_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/.test(token) &&
    checksum(token.slice(0, end)) === token.slice(end + 1)
  );
}

/** The text with every key in it cut short: for what may be read by others than its owner. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/(pet_(?:live|test)_)[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g, "$1…");
}

/** Characters of the secret, and of the check, by which people tell keys apart. */
const SHOWN_LENGTH = 4;

/** `pet_live_9ndK…NnlR` */
export function redactToken(token: string): string {
  const start = token.lastIndexOf("_", token.length - CHECK_LENGTH - 2) + 1;
  return `${token.slice(0, start + SHOWN_LENGTH)}…${token.slice(-SHOWN_LENGTH)}`;
}

/** SHA-256 of the key: all that is stored. The key has 256 random bits, so no slow hash is needed. */
export function hashToken(token: string): Uint8Array {
  return sha256(token);
}

function checksum(text: string): string {
  return toBase62(Bun.hash.crc32(text), CHECK_LENGTH);
}
