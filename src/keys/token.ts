import { ENVIRONMENTS, type Environment } from "../context.ts";
import { type RandomBytes, randomSecret, toBase62 } from "../platform/random.ts";
import { sha256 } from "../platform/sha256.ts";

/**
 * The prefixes of API keys. A key has the form `pet_live_<secret>_<checksum>`. Thanks to the checksum, secret scanners recognize
 * keys, and the service detects typing errors without a database query.
 */
const PREFIX: Record<Environment, string> = { production: "pet_live_", staging: "pet_test_" };

/** The length of an API key's checksum in characters. It is a CRC-32 in base62. */
const CHECK_LENGTH = 6;

export function createToken(environment: Environment, randomBytes: RandomBytes): string {
  const text = PREFIX[environment] + randomSecret(randomBytes);
  return `${text}_${checksum(text)}`;
}

/** Returns the environment that a key's prefix names, or undefined if the text has no such prefix. */
export function environmentOfToken(token: string): Environment | undefined {
  return ENVIRONMENTS.find((environment) => token.startsWith(PREFIX[environment]));
}

/** Returns true if the text has the format of a key, and the right checksum. */
export function isWellFormedToken(token: string): boolean {
  const end = token.length - CHECK_LENGTH - 1;
  return (
    /^pet_(live|test)_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/.test(token) &&
    checksum(token.slice(0, end)) === token.slice(end + 1)
  );
}

/** Redacts every API key in a text. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/(pet_(?:live|test)_)[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g, "$1…");
}

/** The number of characters of the secret, and of the checksum, that remain visible in a redacted key. */
const SHOWN_LENGTH = 4;

export function redactToken(token: string): string {
  const start = token.lastIndexOf("_", token.length - CHECK_LENGTH - 2) + 1;
  return `${token.slice(0, start + SHOWN_LENGTH)}…${token.slice(-SHOWN_LENGTH)}`;
}

/**
 * Returns the SHA-256 hash of a key. The database stores only this hash. A slow hash is not necessary, because a key has 256
 * random bits.
 */
export function hashToken(token: string): Uint8Array {
  return sha256(token);
}

function checksum(text: string): string {
  return toBase62(Bun.hash.crc32(text), CHECK_LENGTH);
}
