import { idempotencyKeys, type Sha256 } from "./idempotency-keys.ts";
import type { NewPet } from "./new-pet.ts";
import type { ParsedPet } from "./parse-pets.ts";

/** A line that the file format, the schema or the service refuses. */
export interface RefusedLine {
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
}

export interface ImportCounts {
  readonly added: number;
  /** Added by an earlier run, within the time that the service keeps idempotency keys. */
  readonly alreadyThere: number;
  readonly refused: number;
}

/** How the request for one animal ended; a failure of the whole import is thrown instead. */
export type AddOutcome = "added" | "already there" | { readonly refusal: string };

/** With one of these the service refuses this line; another line may be accepted. */
export const LINE_STATUSES: readonly number[] = [400, 409, 413, 422];

/** Sends the animal of one line. Throws a failure that every other line would meet too. */
export type AddLine = (pet: NewPet, idempotencyKey: string) => Promise<AddOutcome>;

interface ImportOptions {
  readonly pets: AsyncGenerator<ParsedPet, void, void>;
  /** Names the import: equal lines under the same name are the same animals. */
  readonly batch: string;
  readonly sha256: Sha256;
  /** Requests under way at once. */
  readonly inFlight: number;
  readonly add: AddLine;
  onRefused(refused: RefusedLine): void;
  /** Called after each line with the number of lines that are finished. */
  onProgress(lines: number): void;
  /** On abort no further line is started; requests under way are awaited. */
  readonly stop: AbortSignal;
  /** Called when the import fails: the caller stops reading the input, which may be waiting for more. */
  onFailure(): void;
}

/**
 * Adds the animals of a file, several at once. Each line has its own idempotency key, so that the same file, imported any
 * number of times, whole or interrupted, adds each line once.
 *
 * @returns the counts, and the failure that ended the import early, if there was one
 */
export async function importPets(
  options: ImportOptions,
): Promise<{ readonly counts: ImportCounts; readonly failure: unknown }> {
  const counts = { added: 0, alreadyThere: 0, refused: 0 };
  const keyOf = idempotencyKeys(options.batch, options.sha256);
  let failure: unknown;

  async function addOne(line: ParsedPet): Promise<void> {
    const outcome = "refusal" in line ? line : await options.add(line.pet, keyOf(line.pet));
    if (outcome === "added") counts.added++;
    else if (outcome === "already there") counts.alreadyThere++;
    else {
      counts.refused++;
      options.onRefused({ line: line.line, lastLine: line.lastLine, reason: outcome.refusal });
    }
    options.onProgress(counts.added + counts.alreadyThere + counts.refused);
  }

  async function work(): Promise<void> {
    try {
      while (failure === undefined && !options.stop.aborted) {
        const { value, done } = await options.pets.next();
        // A line that was read during the abort may be cut off.
        if (done || failure !== undefined || options.stop.aborted) return;
        await addOne(value);
      }
    } catch (error) {
      failure ??= error;
      options.onFailure();
    }
  }

  await Promise.all(Array.from({ length: options.inFlight }, work));
  return { counts, failure };
}
