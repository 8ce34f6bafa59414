const LENGTH = 32;

/** Returns the SHA-256 hash of the input (FIPS 180-4). Text is hashed as UTF-8. */
export function sha256(input: string | Uint8Array): Uint8Array {
  const digest = new Uint8Array(LENGTH);
  Bun.SHA256.hash(input, digest);
  return digest;
}
