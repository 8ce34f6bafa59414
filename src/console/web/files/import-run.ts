// This hash is synchronous. `crypto.subtle` is not, and needs TLS or localhost.
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Category } from "../../../categories/contract.ts";
import type { Resolved } from "../../../pet-files/categories.ts";
import { idempotencyKeys } from "../../../pet-files/idempotency-keys.ts";
import { type ImportCounts, importPets } from "../../../pet-files/import-pets.ts";
import type { FindPets } from "../../../pet-files/look-up.ts";
import type { Pet } from "../../../pets/contract.ts";
import { account } from "../account/session.ts";
import { call, callPage, PATIENT, REQUESTS_MAX, type Versioned } from "../request.ts";
import { pageError, toPetstoreError } from "../request-error.ts";
import { sentenceFor } from "./chosen-file.ts";
import { type ChosenFile, type ImportRun, type RefusedPet, run, stopping } from "./import-state.ts";
import { readPets } from "./read-pets.ts";

const PROGRESS_MS = 200;

/**
 * Adds the animals of a file, or continues an interrupted import: each line is added once.
 *
 * @param batch name of the import: within 24 hours, equal lines of the same batch are the same animals
 */
export async function startImport(file: ChosenFile, batch: string): Promise<void> {
  stopping.peek().abort();
  const stopper = new AbortController();
  stopping.value = stopper;
  const owner = account.peek()?.email;
  const refused: RefusedPet[] = [];
  let shownAt = 0;

  function show(counts: ImportCounts, status: ImportRun["status"], failure = "") {
    shownAt = performance.now();
    run.value = { batch, status, counts: { ...counts }, refused, failure };
  }

  /** Called before every attempt; ends the import if its account is no longer signed in. */
  function onRequest() {
    if (account.peek()?.email !== owner) throw pageError("You are signed out.", 401);
  }

  show({ added: 0, alreadyThere: 0, changed: 0, refused: 0 }, "running");
  const { counts, failure } = await importPets({
    // Resolved again, because categories may have been created since the preview.
    lines: readPets({ ...file, categories: undefined }, stopper.signal, (name) =>
      createCategory(name, onRequest),
    ),
    keyOf: idempotencyKeys(batch, (text) => sha256(utf8ToBytes(text))),
    inFlight: REQUESTS_MAX,
    create: (pet, options) => call("POST", "/pets", { ...options, ...PATIENT, body: pet, onRequest }),
    update: (id, patch, options) =>
      call("PATCH", `/pets/${id}`, { ...options, ...PATIENT, body: patch, onRequest }),
    find: findPets,
    stopping: stopper,
    onRefused: ({ reason, ...line }, members = {}) => refused.push({ ...line, refusal: reason, members }),
    onProgress(_, soFar) {
      if (performance.now() - shownAt > PROGRESS_MS) show(soFar, "running");
    },
  });
  // The import was dropped, because another account opened the screen.
  if (run.peek() === undefined) return;
  const status = stopper.signal.aborted ? "stopped" : "complete";
  show(counts, status, failure === undefined ? "" : sentenceFor(failure));
}

const findPets: FindPets = async (by, keys) => {
  const query = { [by]: keys.join() };
  return (await callPage<Versioned<Pet>>("/pets", { ...PATIENT, query })).items;
};

async function createCategory(name: string, onRequest: () => void): Promise<Resolved> {
  try {
    const { id } = await call<Category>("POST", "/categories", { ...PATIENT, body: { name }, onRequest });
    return { id };
  } catch (error) {
    const { status, message } = toPetstoreError(error);
    if (status !== 400 && status !== 422) throw error;
    return { refusal: `names a category that cannot be created: ${message}` };
  }
}
