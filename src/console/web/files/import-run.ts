import {
  type AddOutcome,
  importPets,
  LINE_STATUSES,
  type RefusedLine,
} from "../../../pet-files/import-pets.ts";
import type { NewPet } from "../../../pet-files/new-pet.ts";
import { account } from "../account/session.ts";
import { deleteDraft, saveDraft } from "../components/draft.ts";
import { call } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { sentenceFor } from "./chosen-file.ts";
import { type ChosenFile, IMPORT_DRAFT, type ImportRun, run, stopping } from "./import-state.ts";
import { patiently } from "./patiently.ts";
import { readPets } from "./read-pets.ts";
import { sha256 } from "./sha256.ts";

/** A browser has 6 connections to a server without TLS, and follows the events with one of them. */
const IN_FLIGHT = 4;
const PROGRESS_MS = 200;

/**
 * Adds the animals of a file, and continues an import that was interrupted: each line is added once.
 *
 * @param batch equal lines under the same name are the same animals, for 24 hours
 */
export async function startImport(file: ChosenFile, batch: string): Promise<void> {
  const stopper = new AbortController();
  const stop = stopper.signal;
  stopping.value = stopper;
  const failing = new AbortController();
  const reading = AbortSignal.any([stop, failing.signal]);
  const owner = account.peek()?.email;
  const startedAt = performance.now();
  const refused: RefusedLine[] = [];
  let alreadyThere = 0;
  let shown = { lines: 0, at: startedAt };

  function show(lines: number, status: ImportRun["status"], failure = ""): void {
    const at = performance.now();
    shown = { lines, at };
    const linesPerSecond = Math.round((lines * 1000) / Math.max(1, at - startedAt));
    run.value = { batch, status, lines, alreadyThere, linesPerSecond, refused, failure };
    if (account.peek()?.email === owner)
      saveDraft(IMPORT_DRAFT, { file: file.file.name, batch, lines: `${lines}`, of: `${file.lines}` });
  }

  async function add(pet: NewPet, idempotencyKey: string): Promise<AddOutcome> {
    const outcome = await addPet(pet, idempotencyKey, owner, stop);
    if (outcome === "already there") alreadyThere++;
    return outcome;
  }

  show(0, "running");
  const { failure } = await importPets({
    pets: readPets(file, reading),
    batch,
    sha256,
    inFlight: IN_FLIGHT,
    add,
    stop,
    onFailure: () => failing.abort(),
    onRefused: (line) => refused.push(line),
    onProgress(lines) {
      if (performance.now() - shown.at > PROGRESS_MS) show(lines, "running");
      else shown.lines = lines;
    },
  });
  // Another file was chosen meanwhile.
  if (run.peek() === undefined) return;
  const isComplete = failure === undefined && !stop.aborted;
  show(shown.lines, isComplete ? "complete" : "stopped", stop.aborted ? "" : failureOf(failure));
  if (isComplete) deleteDraft(IMPORT_DRAFT);
}

function failureOf(failure: unknown): string {
  return failure === undefined ? "" : sentenceFor(failure);
}

/** Adds one animal, for the account that began. */
async function addPet(
  pet: NewPet,
  idempotencyKey: string,
  owner: string | undefined,
  stop: AbortSignal,
): Promise<AddOutcome> {
  let isReplayed = false;
  const onResponse = (headers: Headers) => {
    isReplayed = headers.has("Idempotent-Replayed");
  };
  try {
    await patiently(stop, () => {
      if (account.peek()?.email !== owner) throw new RequestError("You are signed out.", { status: 401 });
      return call("POST", "/pets", { body: pet, idempotencyKey, onResponse });
    });
    return isReplayed ? "already there" : "added";
  } catch (error) {
    const isRefused = error instanceof RequestError && LINE_STATUSES.includes(error.status);
    if (isRefused) return { refusal: error.message };
    throw error;
  }
}
