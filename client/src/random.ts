// `crypto.randomUUID` exists in secure contexts alone; `getRandomValues` on pages over plain HTTP as well.

/** 128 bits in hexadecimal. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** From 0 to 1, without 1. */
export function randomFraction(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits / 2 ** 32;
}
