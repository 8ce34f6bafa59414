import { idempotencyKeys } from "../../../pet-files/idempotency-keys.ts";
import { type ImportCounts, importPets, type RefusedLine } from "../../../pet-files/import-pets.ts";
import { account } from "../account/session.ts";
import { deleteDraft, saveDraft } from "../components/draft.ts";
import { call, PATIENT, REQUESTS_MAX } from "../request.ts";
import { pageError } from "../request-error.ts";
import { sentenceFor } from "./chosen-file.ts";
import { type ChosenFile, IMPORT_DRAFT, type ImportRun, run, stopping } from "./import-state.ts";
import { readPets } from "./read-pets.ts";
import { sha256 } from "./sha256.ts";

const PROGRESS_MS = 200;

/**
 * Adds the animals of a file, or continues an interrupted import: each line is added once.
 *
 * @param batch name of the import: within 24 hours, equal lines of the same batch are the same animals
 */
export async function startImport(file: ChosenFile, batch: string): Promise<void> {
  const stopper = new AbortController();
  stopping.value = stopper;
  const owner = account.peek()?.email;
  const startedAt = performance.now();
  const refused: RefusedLine[] = [];
  let shown = { lines: 0, at: startedAt };

  function show(lines: number, counts: ImportCounts, status: ImportRun["status"], failure = "") {
    const at = performance.now();
    shown = { lines, at };
    const linesPerSecond = Math.round((lines * 1000) / Math.max(1, at - startedAt));
    run.value = { batch, status, lines, linesPerSecond, counts: { ...counts }, refused, failure };
    if (account.peek()?.email === owner)
      saveDraft(IMPORT_DRAFT, { file: file.file.name, batch, lines: `${lines}`, of: `${file.lines}` });
  }

  /** Called before every attempt; ends the import if its account is no longer signed in. */
  function onRequest() {
    if (account.peek()?.email !== owner) throw pageError("You are signed out.", 401);
  }

  show(0, { added: 0, alreadyThere: 0, refused: 0 }, "running");
  const { counts, failure } = await importPets({
    pets: readPets(file, stopper.signal),
    keyOf: idempotencyKeys(batch, sha256),
    inFlight: REQUESTS_MAX,
    create: (pet, options) => call("POST", "/pets", { ...options, ...PATIENT, body: pet, onRequest }),
    stopping: stopper,
    onRefused: (line) => refused.push(line),
    onProgress(lines, soFar) {
      if (performance.now() - shown.at > PROGRESS_MS) show(lines, soFar, "running");
      else shown.lines = lines;
    },
  });
  // The import was dropped, because another account opened the screen.
  if (run.peek() === undefined) return;
  const isComplete = !stopper.signal.aborted;
  show(
    shown.lines,
    counts,
    isComplete ? "complete" : "stopped",
    failure === undefined ? "" : sentenceFor(failure),
  );
  if (isComplete) deleteDraft(IMPORT_DRAFT);
}
