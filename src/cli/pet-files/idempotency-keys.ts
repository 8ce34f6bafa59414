import { writeJson } from "../../contract/json/json.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { NewPet } from "./csv-columns.ts";

/**
 * The idempotency key of each line: a hash of the batch, of the animal, and of the number of equal lines before it. A line
 * keeps its key when other lines are added, moved or removed, and equal lines get different keys.
 */
export function idempotencyKeys(batch: string): (pet: NewPet) => string {
  const countEqualBefore = createLineCounter();
  return (pet) => {
    const content = contentOf(pet);
    const text = writeJson([batch, content, countEqualBefore(content)]);
    return `import-${Buffer.from(sha256(text)).toString("hex")}`;
  };
}

/** Members that are added to the schema follow these three, and only where present: existing files keep their keys. */
function contentOf({ name, categoryId, status, ...added }: NewPet): string {
  const present = Object.entries<unknown>(added).filter(([, value]) => value !== undefined);
  return writeJson([name, categoryId, status ?? null, ...present]);
}

/** Counts how often it has seen a text before. */
export function createLineCounter(): (text: string) => number {
  // By hash: a million lines take 60 MB, and 250 MB by their text. A double holds 53 of its 64 bits.
  const counts = new Map<number, number>();
  return (text) => {
    const hash = Number(Bun.hash.xxHash64(text) >> 11n);
    const before = counts.get(hash) ?? 0;
    counts.set(hash, before + 1);
    return before;
  };
}
