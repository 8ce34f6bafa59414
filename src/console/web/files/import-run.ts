// `@noble/hashes` computes hashes synchronously, and on any page. `crypto.subtle` is asynchronous, and needs TLS or localhost.
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Int64 } from "exact-json/int64";
import type { CallOptions } from "../../../../client/src/options.ts";
import { randomName } from "../../../../client/src/random.ts";
import type { Category } from "../../../categories/contract.ts";
import {
  isStandIn,
  type Resolved,
  resolveCategory,
  type StandInNumber,
} from "../../../pet-files/categories.ts";
import { idempotencyKeys } from "../../../pet-files/idempotency-keys.ts";
import { importHeaders, importIdentity } from "../../../pet-files/import-identity.ts";
import { type ImportCounts, importPets } from "../../../pet-files/import-pets.ts";
import type { PlannedLine } from "../../../pet-files/planned-lines.ts";
import { UnreadableFileError } from "../../../pet-files/read-lines.ts";
import { account } from "../account/session.ts";
import { AS_LINE, call, LINES_IN_FLIGHT, PATIENT } from "../request.ts";
import { pageError, toPetstoreError } from "../request-error.ts";
import { findPets, sentenceFor } from "./chosen-file.ts";
import { type ChosenFile, type ImportRun, type RefusedPet, run, stopping } from "./import-state.ts";
import { readCategoryNumbers, readPets } from "./read-pets.ts";

const PROGRESS_MS = 200;

/**
 * Adds the animals of a file, or continues an interrupted import. Each line is added only once.
 *
 * @param batch name of the import; within 24 hours, a second import with this name does not add the same lines again
 */
export async function startImport(
  file: ChosenFile,
  batch: string,
  identity = importIdentity(file.file.name, Date.now(), randomName()),
): Promise<void> {
  stopping.peek().abort();
  const stopper = new AbortController();
  stopping.value = stopper;
  const owner = account.peek()?.email;
  const refused: RefusedPet[] = [];
  let shownAt = 0;

  function show(counts: ImportCounts, status: ImportRun["status"], failure = "") {
    shownAt = performance.now();
    run.value = { identity, batch, status, counts: { ...counts }, refused, failure };
  }

  /** Called before every attempt to send a request. Ends the import if the account that began it is no longer signed in. */
  function onRequest() {
    if (account.peek()?.email !== owner) throw pageError("You are signed out.", 401);
  }

  const headersOf = importHeaders(identity);
  const asLine = () => ({ ...AS_LINE, onRequest, headers: headersOf() });
  const create = (name: string) => createCategory(name, { onRequest, headers: headersOf() });
  show({ added: 0, alreadyThere: 0, changed: 0, refused: 0 }, "running");
  // Sends the whole name of the file. All other requests contain only the end of the name, so the list of imports could show no
  // more than that.
  await call("POST", "/imports", {
    ...PATIENT,
    onRequest,
    body: { identity, file: file.file.name },
    signal: stopper.signal,
  }).catch(() => {});
  const { counts, failure } = await importPets({
    lines:
      file.comparison === undefined
        ? // The category names are looked up again, because somebody may have created categories since the preview.
          readPets({ ...file, categories: undefined }, stopper.signal, create)
        : plannedLines(file, stopper.signal, create),
    keyOf: idempotencyKeys(batch, (text) => sha256(utf8ToBytes(text))),
    by: file.comparison?.by,
    inFlight: LINES_IN_FLIGHT,
    create: (pet, options) => call("POST", "/pets", { ...options, ...asLine(), body: pet }),
    update: (id, patch, options) => call("PATCH", `/pets/${id}`, { ...options, ...asLine(), body: patch }),
    find: findPets,
    stopping: stopper,
    onRefused: ({ reason, ...line }, members = {}) => refused.push({ ...line, refusal: reason, members }),
    onProgress(_, soFar) {
      if (performance.now() - shownAt > PROGRESS_MS) show(soFar, "running");
    },
  });
  // `run` is undefined if another account has opened this screen in the meantime, which discards the import.
  if (run.peek() === undefined) return;
  show(counts, statusOf(failure, stopper.signal), failure === undefined ? "" : sentenceFor(failure));
}

function statusOf(failure: unknown, { aborted }: AbortSignal): ImportRun["status"] {
  if (failure instanceof UnreadableFileError) return "unreadable";
  return aborted ? "stopped" : "complete";
}

/**
 * Returns the lines of a file that was compared with the store, and creates the categories that the lines need. A category that
 * somebody has created since the comparison is not created again.
 */
async function* plannedLines(
  { comparison, newCategories }: ChosenFile,
  stop: AbortSignal,
  create: (name: string) => Promise<Resolved>,
): AsyncGenerator<PlannedLine, void, void> {
  const created = new Map<StandInNumber, Promise<Resolved>>();
  const known = newCategories.size === 0 ? new Map() : await readCategoryNumbers(stop);
  async function numberOf(name: string) {
    const found = resolveCategory(name, known);
    return "missing" in found ? create(name) : found;
  }
  for (const planned of comparison?.lines ?? []) {
    const { categoryId } = "pet" in planned ? planned.pet : "change" in planned ? planned.change.patch : {};
    if (categoryId === undefined || !isStandIn(categoryId)) {
      yield planned;
      continue;
    }
    const creating = created.get(categoryId) ?? numberOf(newCategories.get(categoryId) ?? "");
    created.set(categoryId, creating);
    const resolved = await creating;
    yield "refusal" in resolved
      ? { line: planned.line, lastLine: planned.lastLine, refusal: resolved.refusal }
      : inCategory(planned, resolved.id);
  }
}

function inCategory(planned: PlannedLine, categoryId: Int64): PlannedLine {
  if ("pet" in planned) return { ...planned, pet: { ...planned.pet, categoryId } };
  if (!("change" in planned)) return planned;
  const { before, patch } = planned.change;
  return { ...planned, change: { before, patch: { ...patch, categoryId } } };
}

async function createCategory(name: string, options: CallOptions): Promise<Resolved> {
  try {
    const { id } = await call<Category>("POST", "/categories", { ...options, ...PATIENT, body: { name } });
    return { id };
  } catch (error) {
    const { status, message } = toPetstoreError(error);
    if (status !== 400 && status !== 422) throw error;
    return { refusal: `names a category that cannot be created: ${message}` };
  }
}
