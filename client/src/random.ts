// `crypto.randomUUID` exists in secure contexts only; `getRandomValues` exists even in pages over plain HTTP.

/** A random name: 128 bits in hexadecimal. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random number from 0 (inclusive) to 1 (exclusive). */
export function randomFraction(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits / 2 ** 32;
}
