import { wait } from "../../client/src/deadline.ts";
import { PetstoreError } from "../../client/src/errors.ts";
import type { Answer } from "../../client/src/hooks.ts";
import type { CallOptions } from "../../client/src/options.ts";
import type { NewPet } from "../pets/contract.ts";
import { concurrently } from "./concurrently.ts";
import type { ParsedPet } from "./parse-pets.ts";

/** A line refused by the file format, the schema or the service. */
export interface RefusedLine {
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
}

export interface ImportCounts {
  readonly added: number;
  /** Number of animals added by an earlier run, known while the service keeps its idempotency keys. */
  readonly alreadyThere: number;
  readonly refused: number;
}

/** Calls `createPet` through the client. */
export type CreatePet = (pet: NewPet, call: CallOptions) => Promise<unknown>;

interface ImportOptions {
  readonly pets: Iterator<ParsedPet> | AsyncIterator<ParsedPet>;
  /** The idempotency key of a line, equal in all runs that may send it. */
  readonly keyOf: (pet: NewPet) => string;
  readonly inFlight: number;
  readonly create: CreatePet;
  /** Aborts an import, by the caller or at a failure; the caller then stops reading its input, which may be blocked. */
  readonly stopping: AbortController;
  /** @param members the line's values, if it could be read */
  onRefused(refused: RefusedLine, members: object | undefined): void;
  onProgress?(lines: number, counts: ImportCounts): void;
}

interface ImportResult {
  readonly counts: ImportCounts;
  /** An error that affects every line: the import has ended early. */
  readonly failure: unknown;
}

/** Adds the animal of each line concurrently; by its idempotency key only once, however often the import is repeated. */
export async function importPets(options: ImportOptions): Promise<ImportResult> {
  const { pets, keyOf, inFlight, create, stopping, onRefused, onProgress } = options;
  const counts = { added: 0, alreadyThere: 0, refused: 0 };
  const failure = await concurrently(pets, inFlight, stopping, async (parsed) => {
    const { line, lastLine } = parsed;
    const outcome =
      "refusal" in parsed ? parsed : await addPet(create, parsed.pet, keyOf(parsed.pet), stopping.signal);
    if ("refusal" in outcome) {
      counts.refused++;
      onRefused({ line, lastLine, reason: outcome.refusal }, "pet" in parsed ? parsed.pet : parsed.members);
    } else counts[outcome.isReplayed ? "alreadyThere" : "added"]++;
    onProgress?.(counts.added + counts.alreadyThere + counts.refused, counts);
  });
  return { counts, failure };
}

/** HTTP statuses that refuse one line of an import; other lines may be accepted. */
const LINE_STATUSES: readonly number[] = [400, 409, 413, 422];
/** Codes of temporary errors, after which an import retries a line without a limit. */
const RETRIED_CODES: readonly string[] = ["rate_limited", "idempotency_in_progress"];

/** Adds one animal, with retries. @throws PetstoreError, PetstoreConnectionError if every line would fail so */
async function addPet(create: CreatePet, pet: NewPet, idempotencyKey: string, stop: AbortSignal) {
  let isReplayed = false;
  const onAnswer = ({ headers }: Answer) => {
    isReplayed = headers.has("Idempotent-Replayed");
  };
  const call = { idempotencyKey, onAnswer };
  for (;;) {
    try {
      await create(pet, call);
      return { isReplayed };
    } catch (error) {
      if (!(error instanceof PetstoreError)) throw error;
      const isRetried = RETRIED_CODES.includes(error.code);
      if (!isRetried && LINE_STATUSES.includes(error.status)) return { refusal: error.message };
      if (!isRetried) throw error;
      await wait((error.retryAfterSeconds ?? 1) * 1000, stop);
    }
  }
}
