import type { Int64 } from "exact-json/int64";
import { wait } from "../../client/src/deadline.ts";
import { PetstoreError } from "../../client/src/errors.ts";
import type { Answer } from "../../client/src/hooks.ts";
import type { CallOptions, ChangeOptions } from "../../client/src/options.ts";
import type { NewPet, PetPatch } from "../pets/contract.ts";
import { isPatched, patchOf } from "./compare-pets.ts";
import { concurrently } from "./concurrently.ts";
import type { FindPets, FoundPet, MatchBy } from "./look-up.ts";
import type { Refusal } from "./parse-pets.ts";
import { freedBy, type PetChange, type PlannedLine } from "./planned-lines.ts";

/** A line that was refused, because its format is wrong, its values do not match the schema, or the service refused it. */
export interface RefusedLine {
  readonly line: number;
  readonly lastLine: number;
  readonly reason: string;
}

export interface ImportCounts {
  readonly added: number;
  /**
   * The number of animals that an earlier run of the import has already added. The service recognizes these animals for as long as
   * it remembers the idempotency keys of that run.
   */
  readonly alreadyThere: number;
  readonly changed: number;
  readonly refused: number;
}

type CreatePet = (pet: NewPet, call: CallOptions) => Promise<unknown>;
type UpdatePet = (id: Int64, patch: PetPatch, call: ChangeOptions) => Promise<unknown>;

interface ImportOptions {
  readonly lines: Iterator<PlannedLine> | AsyncIterator<PlannedLine>;
  /** Returns the idempotency key of a line, which is the same in every run of the import. */
  readonly keyOf: (pet: NewPet) => string;
  /**
   * The member that was used to match lines with animals. If it is `externalId`, a new animal with an `externalId` is sent without
   * an idempotency key, because the service never adds two animals with the same `externalId`.
   */
  readonly by: MatchBy | undefined;
  readonly inFlight: number;
  readonly create: CreatePet;
  readonly update: UpdatePet;
  readonly find: FindPets;
  /**
   * Ends the import when the caller or a failure aborts it. The caller must then stop reading its input, because a read that
   * waits for more input would never end.
   */
  readonly stopping: AbortController;
  /** @param members the values in the line, if the line could be read */
  onRefused(refused: RefusedLine, members: object | undefined): void;
  onProgress?(lines: number, counts: ImportCounts): void;
}

interface ImportResult {
  readonly counts: ImportCounts;
  /** The error that ended the import early, because every further line would have failed. */
  readonly failure: unknown;
}

/**
 * Adds or changes the animal of each line, several at the same time. You can repeat the import: each line still takes effect only
 * once, because its request contains an idempotency key, or the version of the animal that it changes.
 */
export async function importPets(options: ImportOptions): Promise<ImportResult> {
  const { lines, inFlight, stopping, onRefused, onProgress } = options;
  const counts = { added: 0, alreadyThere: 0, changed: 0, refused: 0 };
  let done = 0;
  const sendInTurn = createSender(options);
  const failure = await concurrently(lines, inFlight, stopping, async (planned) => {
    const { line, lastLine } = planned;
    const outcome = await sendInTurn(planned);
    if (typeof outcome === "object") {
      counts.refused++;
      onRefused({ line, lastLine, reason: outcome.refusal }, membersOf(planned));
    } else counts[outcome]++;
    onProgress?.(++done, counts);
  });
  return { counts, failure };
}

type Outcome = Exclude<keyof ImportCounts, "refused"> | Refusal;

function membersOf(planned: PlannedLine): object | undefined {
  if ("pet" in planned) return planned.pet;
  return "change" in planned ? { ...planned.change.before, ...planned.change.patch } : planned.members;
}

/**
 * Creates a function that sends a line. If the line takes the `externalId` of another animal, the function waits until this animal
 * has given it up.
 */
function createSender(options: ImportOptions): (planned: PlannedLine) => Promise<Outcome> {
  const freeing = new Map<number, Promise<Outcome>>();
  async function sendAfter(planned: PlannedLine, earlier: Promise<Outcome>) {
    await earlier;
    options.stopping.signal.throwIfAborted();
    return send(planned, options);
  }
  return (planned) => {
    const earlier = planned.after === undefined ? undefined : freeing.get(planned.after);
    const sending = earlier === undefined ? send(planned, options) : sendAfter(planned, earlier);
    if (freedBy(planned).length > 0) freeing.set(planned.line, sending);
    return sending;
  };
}

async function send(planned: PlannedLine, options: ImportOptions): Promise<Outcome> {
  if ("pet" in planned) return addPet(planned.pet, options);
  return "change" in planned ? changePet(planned.change, options) : planned;
}

/** HTTP statuses of refusals that concern only the current line of an import; the service may accept other lines. */
const LINE_STATUSES: readonly number[] = [400, 409, 413, 422];
/** The codes of temporary errors. After one of these errors, an import retries the failed line as often as necessary. */
const RETRIED_CODES: readonly string[] = ["rate_limited", "idempotency_in_progress"];

/** Makes a request, and retries it after temporary errors. @throws PetstoreError, PetstoreConnectionError */
export async function patiently<Result>(stop: AbortSignal, request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof PetstoreError && RETRIED_CODES.includes(error.code))) throw error;
      await wait((error.retryAfterSeconds ?? 1) * 1000, stop);
    }
  }
}

/** Returns the error if it concerns only a single line. @throws any other error, because every line would fail with it */
function refusalIn(error: unknown): PetstoreError {
  if (error instanceof PetstoreError && LINE_STATUSES.includes(error.status)) return error;
  throw error;
}

/** Adds one animal. @throws PetstoreError, PetstoreConnectionError if every line would fail in the same way */
async function addPet(pet: NewPet, options: ImportOptions): Promise<Outcome> {
  const { create, keyOf, by, find, stopping } = options;
  let isReplayed = false;
  const onAnswer = ({ headers }: Answer) => {
    isReplayed = headers.has("Idempotent-Replayed");
  };
  const isUnique = by === "externalId" && pet.externalId !== undefined;
  const call = { onAnswer, ...(!isUnique && { idempotencyKey: keyOf(pet) }) };
  try {
    await patiently(stopping.signal, () => create(pet, call));
    return isReplayed ? "alreadyThere" : "added";
  } catch (error) {
    const { code, message } = refusalIn(error);
    if (code !== "conflict" || pet.externalId === undefined) return { refusal: message };
    // If the response to an earlier attempt was lost, the earlier attempt may already have added this animal.
    const { externalId } = pet;
    const [found] = await find("externalId", [externalId]);
    return found !== undefined && isPatched(found, pet) ? "alreadyThere" : { refusal: message };
  }
}

/**
 * Changes one animal, unless somebody else has changed it since the comparison.
 *
 * @throws PetstoreError, PetstoreConnectionError as in `addPet`
 */
async function changePet({ before, patch }: PetChange, options: ImportOptions): Promise<Outcome> {
  const { update, find, stopping } = options;
  const { id } = before;
  const read = async () => (await find("id", [String(id)]))[0];
  const current = before.etag === undefined ? await read() : before;
  if (current === undefined) return removed(id);
  if (!isEqual(current, before)) return compareAgain(current, patch);
  try {
    await patiently(stopping.signal, () => update(id, patch, { ifMatch: current.etag }));
    return "changed";
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
    if (error.status === 404) return removed(id);
    if (error.code !== "precondition_failed") return { refusal: refusalIn(error).message };
    const later = await read();
    return later === undefined ? removed(id) : compareAgain(later, patch);
  }
}

function isEqual({ etag: _, ...one }: FoundPet, { etag: __, ...other }: FoundPet): boolean {
  return isPatched(one, other) && isPatched(other, one);
}

function removed(id: Int64): Refusal {
  return { refusal: `belongs to animal ${id}, which has been removed` };
}

/**
 * Returns the outcome for an animal that has changed since the comparison. This import itself may have changed it, in an earlier
 * attempt whose response was lost.
 */
function compareAgain(current: FoundPet, patch: PetPatch): Outcome {
  if (isPatched(current, patch)) return "changed";
  const found = Object.keys(patchOf(patch, current, false)) as (keyof PetPatch)[];
  const values = found.map((member) => `${member} is ${current[member] ?? "none"}`);
  return {
    refusal: `was not changed, because somebody else has just changed animal ${current.id}: ${values.join(", ")}. Import the file again to choose which values to keep`,
  };
}
