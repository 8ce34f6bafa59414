// A synchronous SHA-256: `crypto.subtle` is asynchronous, and needs TLS or localhost.

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** The first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4 §4.2.2, §5.3.3). */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Uint32Array.from(primes, (prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

const K = fractions(64, Math.cbrt);
const START = fractions(8, Math.sqrt);

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** SHA-256 (FIPS 180-4) of text in UTF-8. */
export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - LENGTH_BYTES, BigInt(bytes.length) * 8n);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) addBlock(state, new DataView(padded.buffer, at));
  const digest = new DataView(new ArrayBuffer(state.byteLength));
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

/** Processes one block (FIPS 180-4 §6.2.2). */
function addBlock(state: Uint32Array, block: DataView) {
  const words = new Uint32Array(K.length);
  const word = (index: number) => words[index] ?? 0;
  const [a0 = 0, b0 = 0, c0 = 0, d0 = 0, e0 = 0, f0 = 0, g0 = 0, h0 = 0] = state;
  let [a, b, c, d, e, f, g, h] = [a0, b0, c0, d0, e0, f0, g0, h0];
  for (const [index, constant] of K.entries()) {
    const [early, late] = [word(index - 15), word(index - 2)];
    words[index] =
      index < 16
        ? block.getUint32(index * 4)
        : word(index - 16) +
          (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
          word(index - 7) +
          (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
    const added =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constant + word(index);
    const mixed = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(added + mixed) | 0, a, b, c, (d + added) | 0, e, f, g];
  }
  state.set([a0 + a, b0 + b, c0 + c, d0 + d, e0 + e, f0 + f, g0 + g, h0 + h]);
}
