import type { Client } from "../../../client/src/client.ts";
import { PetstoreError } from "../../../client/src/errors.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import type { Comparison } from "../../pet-files/compare-pets.ts";
import { idempotencyKeys } from "../../pet-files/idempotency-keys.ts";
import { importHeaders, importIdentity } from "../../pet-files/import-identity.ts";
import { type ImportCounts, importPets } from "../../pet-files/import-pets.ts";
import type { Columns, PetReader } from "../../pet-files/parse-pets.ts";
import type { PlannedLine } from "../../pet-files/planned-lines.ts";
import { countRepeated, type Repeats } from "../../pet-files/repeated-pets.ts";
import { systemClock } from "../../platform/clock.ts";
import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import { parseCheckedPets, parseCheckedRows } from "../pet-files/check-pets.ts";
import type { FileOptions, Input } from "../pet-files/open-input.ts";
import { formatCount, reportComparison, reportRefused, startReport } from "../pet-files/report.ts";
import { InterruptedError } from "../terminal/interrupt.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import type { RemoteOptions } from "./connection.ts";
import { explainError } from "./explain-error.ts";
import { type PlanOptions, petFinder, planImport } from "./plan-import.ts";

const IMPORT_IN_FLIGHT_MAX = 32; // number of concurrent requests of an import: enough for the service to commit several lines together, but few enough to leave capacity for other clients
const IMPORT_RETRIES = 3; // maximum number of retries of an imported line after transient failures
const IMPORT_CALL_MS = 60_000; // timeout of one line of an import, including all retries of that line

export interface ImportOptions extends RemoteOptions, FileOptions, PlanOptions {
  readonly copies?: true;
  readonly batch?: string;
  readonly refused?: string;
  readonly dryRun?: true;
}

export type Service = Pick<Parameters<typeof importPets>[0], "create" | "update" | "find">;

/** @param file the name of the imported file; the import's events contain this name, so that the console can undo the import */
export function serviceOf(client: Client, signal: AbortSignal, file: string): Service {
  const patience = { retries: IMPORT_RETRIES, timeoutMs: IMPORT_CALL_MS };
  const headersOf = importHeaders(
    importIdentity(file, systemClock.now(), randomBase62(systemRandomBytes, 6)),
  );
  return {
    create: (pet, call) => client.pets.create(pet, { ...call, ...patience, headers: headersOf() }),
    update: (id, patch, call) =>
      client.pets.update(id, patch, { ...call, ...patience, headers: headersOf() }),
    find: petFinder(client, signal, patience),
  };
}

/** Stands in for the service in an import that must not send any request. */
export const NO_SERVICE: Service = { create: async () => {}, update: async () => {}, find: async () => [] };

export type Resolve = PetReader["resolve"];

export interface Run {
  readonly input: Input;
  readonly batch: string;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  /** Aborts after Ctrl-C or a failure, so that the file is read no further. */
  readonly stopping: AbortController;
  readonly service: Service;
  readonly resolve: Resolve;
  /** The client that finds animals that are already in the store. Set only for an import that adds animals but changes none. */
  readonly client?: Client;
}

/** Reads an import file, and adds an animal for each line. */
export async function importAll(run: Run) {
  const { input, resolve } = run;
  const { total, onColumns: report } = await startReport(input);
  const onColumns = (await warnOfRepeats(run, report)) ? () => {} : report;
  const lines = parseCheckedPets(input.chunks, input.dialect, { resolve, onColumns });
  const counts = await sendLines(run, { lines, total, comparison: undefined });
  if (!run.options.json) printStatus(summary(input.title, counts, run.options));
}

/**
 * Warns about lines whose animals may already be in the store, because another import may have added them.
 *
 * @returns true if the file was read, and its columns were reported
 */
async function warnOfRepeats({ input, resolve, signal, client }: Run, onColumns: (columns: Columns) => void) {
  if (client === undefined || input.reopen === undefined) return false;
  const parsed = parseCheckedPets(input.reopen(), input.dialect, { resolve, onColumns });
  const stored = client.pets.list({ limit: PAGE_SIZE_MAX }, { signal }).pages();
  const { lines, isAtLeast } = await countRepeated(parsed, stored).catch(nothingFound);
  if (lines === 0) return true;
  const counted = pluralize(lines, "line has", "lines have");
  printStatus(
    `Warning: ${isAtLeast ? "at least " : ""}${counted} the same name and category as an animal in the store. Each of these lines adds another animal, except for lines that an earlier run of this import already added. To change the animals in the store instead, use --update, and a file with the column "id" or "externalId".`,
  );
  return true;
}

/**
 * Ignores an error from the service, such as a rate limit, during the search for animals that are already in the store. The
 * search only results in a warning, so the import must not fail because of it.
 */
function nothingFound(error: unknown): Repeats {
  if (!(error instanceof PetstoreError)) throw error;
  return { lines: 0, isAtLeast: false };
}

/** Compares the whole file with the store, and then adds and changes animals. */
export async function importCompared(run: Run) {
  const { input, resolve, options, signal, stopping, service } = run;
  const { onColumns } = await startReport(input);
  const rows = await Array.fromAsync(parseCheckedRows(input.chunks, input.dialect, { resolve, onColumns }));
  const isSpreadsheet = input.dialect.format === "csv";
  const plan = await planImport(
    { title: input.title, rows, isSpreadsheet, find: service.find, stopping },
    options,
  );
  if (signal.aborted) throw new InterruptedError("Interrupted. Nothing was sent.");
  const { comparison, lines } = plan;
  const hasMatches = comparison !== undefined && (options.update || comparison.matched.length > 0);
  if (hasMatches && !options.json)
    reportComparison(input.title, comparison.counts, lines, options.overwrite ?? false);
  // The changes that a dry run would make have already been reported, so only its refused lines are left to report.
  const sent = options.dryRun && hasMatches ? lines.filter((line) => "refusal" in line) : lines;
  const counts = await sendLines(
    { ...run, service: options.dryRun ? NO_SERVICE : service },
    { lines: sent.values(), total: sent.length, comparison },
  );
  if (options.json) return;
  if (!hasMatches) printStatus(summary(input.title, counts, options));
  else if (options.dryRun) printStatus("Nothing was changed.");
  else printStatus(summary(input.title, counts, { unchanged: comparison.counts.unchanged }));
}

interface Lines {
  readonly lines: Iterator<PlannedLine> | AsyncIterator<PlannedLine>;
  readonly total: number | undefined;
  readonly comparison: Comparison | undefined;
}

/** Sends the lines of an import, and reports refused lines. @throws InterruptedError, or Error if not all lines were sent */
async function sendLines(run: Run, { lines, total, comparison }: Lines): Promise<ImportCounts> {
  const { input, batch, options, signal, stopping, service } = run;
  const compared = comparison?.counts;
  const progress = startProgress(options.dryRun ? "checking" : "importing");
  const refused = reportRefused(options.refused, progress.end);
  const { counts, failure } = await importPets({
    ...service,
    lines,
    keyOf: idempotencyKeys(batch, sha256),
    by: comparison?.by,
    inFlight: IMPORT_IN_FLIGHT_MAX,
    stopping,
    onRefused: refused.add,
    onProgress: (done) => progress.update(done, total && done / total),
  });
  progress.end();
  refused.end();
  if (options.json)
    printJson({ file: input.title, batch, ...counts, compared, complete: !stopping.signal.aborted });
  const done = counts.added + counts.alreadyThere + counts.changed;
  const batchFlag = input.name === undefined && options.batch === undefined ? ` with --batch ${batch}` : "";
  const progressed = `${pluralize(done, "animal is", "animals are")} imported. Run the same command again${batchFlag} to continue.`;
  if (signal.aborted)
    throw new InterruptedError(options.dryRun ? "Interrupted." : `Interrupted. ${progressed}`);
  if (failure !== undefined) {
    const reason = explainError(failure, options.environment);
    const isBegun = !options.dryRun && done > 0;
    if (!(reason instanceof Error) || !isBegun) throw reason;
    throw new Error(`${reason.message} ${progressed}`, { cause: failure });
  }
  if (counts.refused > 0) process.exitCode = 1;
  return counts;
}

function summary(
  title: string,
  counts: ImportCounts,
  { dryRun, unchanged }: Pick<ImportOptions, "dryRun"> & { readonly unchanged?: number },
): string {
  const { added, changed, alreadyThere, refused } = counts;
  const refusal = refused === 0 ? "" : ` ${pluralize(refused, "line was", "lines were")} refused.`;
  if (dryRun) return `${pluralize(added, "animal", "animals")} in ${title} can be imported.${refusal}`;
  const others =
    unchanged === undefined
      ? ""
      : `, changed ${formatCount(changed)}, and left ${formatCount(unchanged)} unchanged`;
  const known =
    alreadyThere === 0
      ? ""
      : ` ${pluralize(alreadyThere, "line was", "lines were")} already imported by an earlier run.`;
  return `Added ${pluralize(added, "animal", "animals")} from ${title}${others}.${known}${refusal}`;
}
