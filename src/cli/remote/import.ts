import { statSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import { categoryNumbers, readNumber, resolveCategory } from "../../pet-files/categories.ts";
import { type Encoding, encodingLabelled, FOREIGN_ENCODINGS } from "../../pet-files/encoding.ts";
import { IMPORT_FORMATS } from "../../pet-files/file-format.ts";
import { idempotencyKeys } from "../../pet-files/idempotency-keys.ts";
import { type CreatePet, type ImportCounts, importPets } from "../../pet-files/import-pets.ts";
import type { PetReader } from "../../pet-files/parse-pets.ts";
import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Command } from "../command.ts";
import { columnNames, parseCheckedPets } from "../pet-files/check-pets.ts";
import { type FileOptions, type Input, openInput } from "../pet-files/open-input.ts";
import { reportRefused, startReport } from "../pet-files/report.ts";
import { InterruptedError, listenForInterrupt } from "../terminal/interrupt.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import { separator } from "./argument-parsers.ts";
import { addRemoteOptions, checkConnection, type RemoteOptions, withClient } from "./connection.ts";
import { explainError } from "./explain-error.ts";

const IMPORT_IN_FLIGHT_MAX = 32; // concurrent requests; enough to fill commits, and few enough to leave room for other clients
const IMPORT_RETRIES = 3; // retries of a line after transient failures
const IMPORT_CALL_MS = 60_000; // timeout of one line of an import, including its retries

interface ImportOptions extends RemoteOptions, FileOptions {
  readonly batch?: string;
  readonly refused?: string;
  readonly dryRun?: true;
}

export function addImportCommand(pets: Command): void {
  const command = pets
    .command("import")
    .description("add the animals in a file; after an interruption, run the same command again to continue")
    .argument("<file>", "CSV as spreadsheets write it, JSON Lines or a JSON array; - is standard input")
    .addOption(
      new Option(
        "--format <format>",
        "format of the file (default: from its extension, or its first character)",
      ).choices(IMPORT_FORMATS),
    )
    .addOption(
      new Option(
        "--encoding <encoding>",
        "encoding of a file that is not Unicode: windows-1250, shift_jis, … (default: detected, or asked for)",
      ).argParser(encoding),
    )
    .addOption(
      new Option(
        "--separator <character>",
        "character between the cells of CSV, or tab (default: detected)",
      ).argParser(separator),
    )
    .option("--batch <name>", "name of this import (default: the file's name)")
    .option("--refused <file>", "file for the refused lines and their reasons, as JSON Lines")
    .option("--dry-run", "check the lines, but send nothing")
    .option("--json", "print the counts as JSON")
    .addParagraphs(EXPLANATION)
    .addExamples(
      "petstore pets import animals.csv --dry-run",
      "petstore pets import animals.csv --refused refused.jsonl",
      "petstore pets import - --batch monday < animals.jsonl",
    );
  addRemoteOptions(command).action(importFile);
}

const EXPLANATION = [
  "",
  `The first line of a CSV file names the columns ${columnNames()}, in any order and in English or German (Category, Kategorie, …); other columns are ignored. A category is a number or a name. Commas, semicolons and tabs, UTF-8 and UTF-16 are detected, and Windows-1252 where its letters can mean nothing else; for any other file --encoding is asked for. JSON has objects with these members.`,
  "",
  "After an interruption, or after correcting refused lines, run the same command again: it adds only the missing animals. It recognizes a line by the batch, the animal, and the number of equal lines before it. The service remembers lines for 24 hours; after that, or with another --batch, the same line adds another animal.",
].join("\n");

async function importFile(file: string, options: ImportOptions) {
  if (options.refused !== undefined) refuseSameFile(file, options.refused);
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const stopping = new AbortController();
  signal.addEventListener("abort", () => stopping.abort());
  try {
    const input = await openInput(file, options, stopping.signal);
    const batch = options.batch ?? input.name ?? `input-${randomBase62(systemRandomBytes, 8)}`;
    const run = { input, batch, options, signal, stopping };
    if (options.dryRun) await checkFile(run);
    else
      await withClient(options, async (client) => {
        await requireConnection(client, signal);
        const patience = { retries: IMPORT_RETRIES, timeoutMs: IMPORT_CALL_MS };
        const create: CreatePet = (pet, call) => client.pets.create(pet, { ...call, ...patience });
        await runImport({ ...run, create, resolve: categoryResolver(client) });
      });
  } finally {
    // Closes the input, which would keep this process running.
    stopping.abort();
  }
}

/** Checks a file's lines for `--dry-run`: sends nothing, and does not look up categories given by name. */
async function checkFile(run: Omit<Run, "create" | "resolve">) {
  let named = 0;
  const resolve: Resolve = (text) => readNumber(text) ?? { id: named++ };
  await runImport({ ...run, create: async () => {}, resolve });
  if (named > 0 && !run.options.json)
    printStatus(
      `${pluralize(named, "line gives its category", "lines give their category")} by name. The import itself looks it up.`,
    );
}

/** Looks up categories by name; the list is read at the first one. */
function categoryResolver(client: Client): Resolve {
  const load = () => categoryNumbers(client.categories.list({ limit: PAGE_SIZE_MAX }).pages());
  let numbers: ReturnType<typeof load> | undefined;
  return async (text) => {
    numbers ??= load();
    return resolveCategory(text, await numbers);
  };
}

/** Checks the key and the service once before the first line, so that a failure is not reported for each. */
async function requireConnection(client: Client, signal: AbortSignal) {
  try {
    await checkConnection(client, { retries: 0, signal });
  } catch (error) {
    // The key is valid; each line waits for the rate limit by itself.
    if (!(error instanceof PetstoreError && error.code === "rate_limited")) throw error;
  }
}

function refuseSameFile(file: string, refused: string) {
  const [source, target] = [file, refused].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (source !== undefined && source.ino === target?.ino && source.dev === target.dev)
    throw new ConfigError("--refused is the imported file itself. Set --refused to another file.");
}

type Resolve = PetReader["resolve"];

interface Run {
  readonly input: Input;
  readonly batch: string;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  /** Controller that stops reading the file, at Ctrl-C or a failure. */
  readonly stopping: AbortController;
  readonly create: CreatePet;
  readonly resolve: Resolve;
}

async function runImport({ input, batch, options, signal, stopping, create, resolve }: Run) {
  const { total, onColumns } = await startReport(input);
  const progress = startProgress(options.dryRun ? "checking" : "importing");
  const refused = reportRefused(options.refused, progress.end);
  const { counts, failure } = await importPets({
    pets: parseCheckedPets(input.chunks, input.dialect, { resolve, onColumns }),
    keyOf: idempotencyKeys(batch, sha256),
    inFlight: IMPORT_IN_FLIGHT_MAX,
    create,
    stopping,
    onRefused: refused.add,
    onProgress: (lines) => progress.update(lines, total && lines / total),
  });
  progress.end();
  refused.end();
  if (options.json) printJson({ file: input.title, batch, ...counts, complete: !stopping.signal.aborted });
  const batchFlag = input.name === undefined && options.batch === undefined ? ` with --batch ${batch}` : "";
  const progressed = `${pluralize(counts.added + counts.alreadyThere, "animal is", "animals are")} imported. Run the same command again${batchFlag} to continue.`;
  if (signal.aborted)
    throw new InterruptedError(options.dryRun ? "Interrupted." : `Interrupted. ${progressed}`);
  if (failure !== undefined) {
    const reason = explainError(failure, options.environment);
    const isBegun = !options.dryRun && counts.added + counts.alreadyThere > 0;
    if (!(reason instanceof Error) || !isBegun) throw reason;
    throw new Error(`${reason.message} ${progressed}`, { cause: failure });
  }
  if (!options.json) printStatus(summary(input.title, counts, options));
  if (counts.refused > 0) process.exitCode = 1;
}

function summary(title: string, counts: ImportCounts, { dryRun }: ImportOptions): string {
  const { added, alreadyThere, refused } = counts;
  const refusal = refused === 0 ? "" : ` ${pluralize(refused, "line was", "lines were")} refused.`;
  if (dryRun) return `${pluralize(added, "animal", "animals")} in ${title} can be imported.${refusal}`;
  const known =
    alreadyThere === 0
      ? ""
      : ` ${pluralize(alreadyThere, "was", "were")} already imported by an earlier run.`;
  return `Added ${pluralize(added, "animal", "animals")} from ${title}.${known}${refusal}`;
}

/** Parses a label of an encoding (Encoding Standard, WHATWG). @throws InvalidArgumentError */
function encoding(text: string): Encoding {
  const found = encodingLabelled(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    `It must be a label of the Encoding Standard, such as ${Object.keys(FOREIGN_ENCODINGS).join(", ")}.`,
  );
}
