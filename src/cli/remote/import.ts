import { statSync } from "node:fs";
import { type Command, Option } from "commander";
import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import { addExamples } from "../examples.ts";
import { addAnimal } from "../pet-files/add-pet.ts";
import { type AddLine, type ImportCounts, importAnimals } from "../pet-files/import.ts";
import { type Input, openInput } from "../pet-files/open-input.ts";
import { FILE_FORMATS, type FileFormat, parsePets } from "../pet-files/parse-pets.ts";
import { reportRefused } from "../pet-files/refused-lines.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { InterruptedError, listenForInterrupt } from "../terminal/interrupt.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import { addRemoteOptions, askOnce, type RemoteOptions, withStore } from "./connection.ts";
import { explainError } from "./explain-error.ts";

interface ImportOptions extends RemoteOptions {
  readonly format?: FileFormat;
  readonly batch?: string;
  readonly refused?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `petstore pets import FILE` */
export function addImportCommand(pets: Command): void {
  const command = pets
    .command("import")
    .description("add the animals of a file; run again, it goes on where it was interrupted")
    .argument("<file>", "CSV or JSON Lines; - is standard input")
    .addOption(
      new Option("--format <format>", "what is in it (default: as its name says)").choices(FILE_FORMATS),
    )
    .option("--batch <name>", "what this import is called (default: the file's name)")
    .option("--refused <file>", "where to write the refused lines and the reasons, as JSON Lines")
    .option("--dry-run", "check the lines and send nothing")
    .option("--json", "print the counts as JSON");
  addRemoteOptions(command).action(importFile).addHelpText("after", EXPLANATION);
  addExamples(
    command,
    "petstore pets import animals.csv --dry-run",
    "petstore pets import animals.csv --refused refused.jsonl",
    "petstore pets import - --batch monday < animals.jsonl",
  );
}

const EXPLANATION = `
CSV begins with a line that names its columns: name, categoryId and, if you like, status, in any order; others are
ignored. A line of JSON Lines is an object with these members.

Run the same command again after an interruption, or after mending refused lines, and it adds what is missing: a line
is known by the batch, by the animal in it, and by how many like it came before. The service remembers lines for 24 hours;
after that, or under another --batch, the same line is another animal.`;

async function importFile(file: string, options: ImportOptions): Promise<void> {
  if (options.refused !== undefined) refuseSameFile(file, options.refused);
  using interrupt = listenForInterrupt();
  const reading = new AbortController();
  const endReading = () => reading.abort();
  interrupt.signal.addEventListener("abort", endReading);
  try {
    const source = await openInput(file, options.format, reading.signal);
    await importSource(source, options, { stop: interrupt.signal, endReading });
  } finally {
    // An input that stays open would keep this program from ending.
    endReading();
  }
}

async function importSource(source: Input, options: ImportOptions, reading: Reading): Promise<void> {
  const batch = options.batch ?? source.name ?? `input-${randomBase62(systemRandomBytes, 8)}`;
  const run = (add: AddLine) => runImport({ source, batch, options, ...reading, add });
  if (options.dryRun) {
    await run(async () => "added");
    return;
  }
  await withStore(options, async (client) => {
    await requireAnswer(client, reading.stop);
    await run((animal, key) => addAnimal(client, animal, key, reading.stop));
  });
}

/** Before anything is sent: a key that is refused, or a service that is not there, is told of once and at once. */
async function requireAnswer(client: Client, signal: AbortSignal): Promise<void> {
  try {
    await askOnce(client, { retries: 0, signal });
  } catch (error) {
    // Whoever is told to wait is known, and waits with each line.
    if (!(error instanceof PetstoreError && error.code === "rate_limited")) throw error;
  }
}

function refuseSameFile(file: string, refused: string): void {
  const [source, target] = [file, refused].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (source !== undefined && source.ino === target?.ino && source.dev === target.dev)
    throw new ConfigError("--refused names the file that is to be imported.");
}

interface Reading {
  readonly stop: AbortSignal;
  readonly endReading: () => void;
}

interface Run extends Reading {
  readonly source: Input;
  readonly batch: string;
  readonly options: ImportOptions;
  readonly add: AddLine;
}

async function runImport({ source, batch, options, stop, endReading, add }: Run): Promise<void> {
  const progress = startProgress(options.dryRun ? "checking" : "importing");
  const refused = reportRefused(options.refused, progress.end);
  const { size } = source;
  const { counts, failure } = await importAnimals({
    animals: parsePets(source.chunks, source.format, (columns) =>
      printStatus(`Ignored columns: ${columns.map(escapeControls).join(", ")}.`),
    ),
    batch,
    add,
    stop,
    onFailure: endReading,
    onRefused: refused.add,
    onProgress: (lines, bytes) => progress.update(lines, size === undefined ? undefined : bytes / size),
  });
  progress.end();
  refused.end();
  if (options.json)
    printJson({ file: source.title, batch, ...counts, complete: failure === undefined && !stop.aborted });
  const again = source.name === undefined && options.batch === undefined ? ` with --batch ${batch}` : "";
  if (stop.aborted)
    throw new InterruptedError(options.dryRun ? "Interrupted." : `Interrupted. ${goOn(counts, again)}`);
  if (failure !== undefined) throw stopped(failure, counts, options, again);
  if (!options.json) printStatus(summary(source.title, counts, options));
  if (counts.refused > 0) process.exitCode = 1;
}

function stopped(failure: unknown, counts: ImportCounts, options: ImportOptions, again: string): unknown {
  const reason = explainError(failure, options.environment);
  const isBegun = counts.added + counts.alreadyThere > 0;
  if (!(reason instanceof Error) || options.dryRun || !isBegun) return reason;
  return new Error(`${reason.message} ${goOn(counts, again)}`, { cause: failure });
}

function goOn({ added, alreadyThere }: ImportCounts, again: string): string {
  const are = pluralize(added + alreadyThere, "animal is", "animals are");
  return `${are} in; run the same command again${again} to go on.`;
}

function summary(title: string, counts: ImportCounts, { dryRun }: ImportOptions): string {
  const { added, alreadyThere, refused } = counts;
  const refusal = refused === 0 ? "" : ` ${pluralize(refused, "line was", "lines were")} refused.`;
  if (dryRun) return `${pluralize(added, "animal", "animals")} in ${title} can be imported.${refusal}`;
  const known =
    alreadyThere === 0
      ? ""
      : ` ${pluralize(alreadyThere, "was", "were")} there already, from an earlier run.`;
  return `Added ${pluralize(added, "animal", "animals")} from ${title}.${known}${refusal}`;
}
