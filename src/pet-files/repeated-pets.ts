import type { Pet } from "../pets/contract.ts";
import type { ParsedPet } from "./parse-pets.ts";

/** Maximum number of animals that a file is compared with, beginning with the newest. Reading this many takes about 2 s. */
const LOOKED_MAX = 20_000;

export interface Repeats {
  /** The number of lines in the file that have the same name and category as an animal in the store. */
  readonly lines: number;
  /** True if there may be more repeated lines, because the store has more animals than were compared. */
  readonly isAtLeast: boolean;
}

/** Counts the lines of a file that the store may already contain as animals. */
export async function countRepeated(
  parsed: AsyncIterable<ParsedPet>,
  pages: AsyncIterable<readonly Pet[]>,
): Promise<Repeats> {
  const unmatched = new Map<string, number>();
  for await (const line of parsed)
    if ("pet" in line) {
      const key = keyOf(line.pet);
      unmatched.set(key, (unmatched.get(key) ?? 0) + 1);
    }
  let [lines, looked] = [0, 0];
  if (unmatched.size === 0) return { lines, isAtLeast: false };
  for await (const pets of pages) {
    for (const pet of pets) {
      const key = keyOf(pet);
      lines += unmatched.get(key) ?? 0;
      unmatched.delete(key);
    }
    looked += pets.length;
    if (unmatched.size === 0) break;
    if (looked >= LOOKED_MAX) return { lines, isAtLeast: true };
  }
  return { lines, isAtLeast: false };
}

function keyOf({ name, categoryId }: Pick<Pet, "name" | "categoryId">): string {
  return `${categoryId} ${name}`;
}
