const LENGTH = 32;

/** SHA-256 (FIPS 180-4); a text is hashed as UTF-8. */
export function sha256(input: string | Uint8Array): Uint8Array {
  const digest = new Uint8Array(LENGTH);
  Bun.SHA256.hash(input, digest);
  return digest;
}
