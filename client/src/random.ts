// `crypto.randomUUID` is not used, because browsers provide it only in secure contexts. `getRandomValues` works even in pages
// over plain HTTP.

/** Creates a random name of 128 bits, in hexadecimal. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns a random number from 0 (inclusive) to 1 (exclusive). */
export function randomFraction(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits / 2 ** 32;
}
