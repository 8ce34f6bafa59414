/** A function that returns `size` unpredictable bytes. It is passed as a dependency, so that tests can replace it. */
export type RandomBytes = (size: number) => Uint8Array;

export const systemRandomBytes: RandomBytes = (size) => crypto.getRandomValues(new Uint8Array(size));

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a text of `length` random base62 characters. All characters are equally likely, so each has 5.95 bits of randomness. */
export function randomBase62(randomBytes: RandomBytes, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes from 248 upwards are skipped, because 248 is the highest multiple of 62. Otherwise, the first characters of the
      // alphabet would be more likely than the others.
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/**
 * Returns a random secret of 256 bits in base62. Nobody can guess it, so it is safe to store its hash even if the hash function is
 * fast.
 */
export function randomSecret(randomBytes: RandomBytes): string {
  return randomBase62(randomBytes, 43);
}

/** Writes a non-negative integer in base62, with zeros on the left up to `length` characters. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(length, "0");
}
