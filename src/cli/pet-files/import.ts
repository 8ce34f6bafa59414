import { writeJson } from "../../contract/json/json.ts";
import { IMPORT_IN_FLIGHT_MAX } from "../../limits.ts";
import { sha256 } from "../../platform/sha256.ts";
import { createDuplicateCounter } from "./duplicate-counter.ts";
import type { NewPet, ParsedPet } from "./parse-pets.ts";

/** A line that is no animal, to us or to the service. */
export interface RefusedLine {
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
}

export interface ImportCounts {
  readonly added: number;
  /** Added by an earlier run within the time that the service keeps idempotency keys. */
  readonly alreadyThere: number;
  readonly refused: number;
}

/** How a request for one animal ended; what ends the whole import is thrown. */
export type AddOutcome = "added" | "already there" | { readonly refusal: string };

/** Sends the animal of one line. What it throws would meet every other line, too. */
export type AddLine = (animal: NewPet, idempotencyKey: string) => Promise<AddOutcome>;

interface ImportOptions {
  readonly animals: AsyncGenerator<ParsedPet, void, void>;
  /** Names the import: the same lines under the same name are the same animals. */
  readonly batch: string;
  readonly add: AddLine;
  onRefused(refused: RefusedLine): void;
  /** After each line: how many are done with, and how many bytes of the file that was. */
  onProgress(lines: number, bytes: number): void;
  /** Aborted, no further line is begun, and those under way are awaited. */
  readonly stop: AbortSignal;
  /** Told when it goes on no longer: the file, which may be an input that waits for somebody, is read no further. */
  onFailure(): void;
}

/**
 * Adds the animals of a file, several at once. Each line carries an idempotency key made of the batch, the animal and how
 * many like it came before, so that any number of runs, whole or interrupted, add each line once.
 *
 * @returns what was done, and what stopped it early, if anything did
 */
export async function importAnimals(
  options: ImportOptions,
): Promise<{ readonly counts: ImportCounts; readonly failure: unknown }> {
  const counts = { added: 0, alreadyThere: 0, refused: 0 };
  const keyOf = idempotencyKeys(options.batch);
  let failure: unknown;
  let bytes = 0;

  async function addOne(line: ParsedPet): Promise<void> {
    const outcome = "refusal" in line ? line : await options.add(line.animal, keyOf(line.animal));
    if (outcome === "added") counts.added++;
    else if (outcome === "already there") counts.alreadyThere++;
    else {
      counts.refused++;
      options.onRefused({ line: line.line, lastLine: line.lastLine, reason: outcome.refusal });
    }
    bytes = Math.max(bytes, line.end);
    options.onProgress(counts.added + counts.alreadyThere + counts.refused, bytes);
  }

  async function work(): Promise<void> {
    try {
      while (failure === undefined && !options.stop.aborted) {
        const { value, done } = await options.animals.next();
        // A line that came meanwhile may be no more than its beginning.
        if (done || failure !== undefined || options.stop.aborted) return;
        await addOne(value);
      }
    } catch (error) {
      failure ??= error;
      options.onFailure();
    }
  }

  await Promise.all(Array.from({ length: IMPORT_IN_FLIGHT_MAX }, work));
  return { counts, failure };
}

/** Keys that stay the same when other lines come or go, and differ between lines that are equal. */
export function idempotencyKeys(batch: string): (animal: NewPet) => string {
  const occurrenceOf = createDuplicateCounter();
  return ({ name, categoryId, status = null }) => {
    const content = writeJson([name, categoryId, status]);
    const text = writeJson([batch, content, occurrenceOf(content)]);
    return `import-${Buffer.from(sha256(text)).toString("hex")}`;
  };
}
