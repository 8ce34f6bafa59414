import { writeJson } from "../../contract/json/json.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { NewPet } from "./csv-columns.ts";

/**
 * The idempotency key of each line: a hash of the batch, of the animal, and of the number of equal lines before it. A line
 * keeps its key when other lines are added, moved or removed, and equal lines get different keys.
 */
export function idempotencyKeys(batch: string): (pet: NewPet) => string {
  const linesSeen = new Map<string, number>();
  return (pet) => {
    const content = contentOf(pet);
    const equalLinesBefore = linesSeen.get(content) ?? 0;
    linesSeen.set(content, equalLinesBefore + 1);
    const text = writeJson([batch, content, equalLinesBefore]);
    return `import-${Buffer.from(sha256(text)).toString("hex")}`;
  };
}

/** Members that are added to the schema follow these three, and only where present: existing files keep their keys. */
function contentOf({ name, categoryId, status, ...added }: NewPet): string {
  const present = Object.entries<unknown>(added).filter(([, value]) => value !== undefined);
  return writeJson([name, categoryId, status ?? null, ...present]);
}
