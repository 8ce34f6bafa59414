import { writeJson } from "exact-json/write-json";
import type { NewPet } from "../pets/contract.ts";

/** A function that hashes a string in UTF-8 with SHA-256 (FIPS 180-4). */
type Sha256 = (text: string) => Uint8Array;

/** The prefix of the idempotency keys of imported lines. */
export const IMPORT_KEY = "import-";

/**
 * Creates a function that returns the idempotency key of each imported line: a hash of the batch, the animal, and the number of
 * equal lines before this one. A line keeps its key when other lines are added, moved or removed, and equal lines get different
 * keys.
 */
export function idempotencyKeys(batch: string, sha256: Sha256): (pet: NewPet) => string {
  const countEqualBefore = createLineCounter(sha256);
  return (pet) => {
    const content = contentOf(pet);
    const hash = sha256(writeJson([batch, content, countEqualBefore(content)]));
    return IMPORT_KEY + Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

/**
 * Serializes an animal for hashing. Members that are added to animals in later versions come last, and only if they are present.
 * The lines of an existing file therefore keep their keys in later versions.
 */
function contentOf({ name, categoryId, status, ...added }: NewPet): string {
  const present = Object.entries<unknown>(added).filter(([, value]) => value !== undefined);
  return writeJson([name, categoryId, status ?? null, ...present]);
}

/** Creates a function that returns how often it has already been called with the same text. */
export function createLineCounter(sha256: Sha256): (text: string) => number {
  // The counts are keyed by hash, so that a million lines take 60 MB instead of 250 MB. Only 53 bits of each hash are used,
  // because a number can represent no more.
  const counts = new Map<number, number>();
  return (text) => {
    const { buffer, byteOffset } = sha256(text);
    const hash = Number(new DataView(buffer, byteOffset).getBigUint64(0) >> 11n);
    const before = counts.get(hash) ?? 0;
    counts.set(hash, before + 1);
    return before;
  };
}
