import { statSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import { categoryNumbers, readNumber, resolveCategory } from "../../pet-files/categories.ts";
import { type Encoding, encodingLabelled, FOREIGN_ENCODINGS } from "../../pet-files/encoding.ts";
import { IMPORT_FORMATS } from "../../pet-files/file-format.ts";
import { MATCHES } from "../../pet-files/look-up.ts";
import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import type { Command } from "../command.ts";
import { columnNames, matchesIn } from "../pet-files/check-pets.ts";
import { type Input, openInput } from "../pet-files/open-input.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printStatus } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { separator } from "./argument-parsers.ts";
import { addRemoteOptions, checkConnection, withClient } from "./connection.ts";
import {
  type ImportOptions,
  importAll,
  importCompared,
  NO_SERVICE,
  type Resolve,
  type Run,
  serviceOf,
} from "./run-import.ts";

export function addImportCommand(pets: Command): void {
  const command = pets
    .command("import")
    .description(
      "add animals from a file, or change animals; after an interruption, run the same command again to continue",
    )
    .argument(
      "<file>",
      "file with animals: CSV from a spreadsheet, JSON Lines or a JSON array; or - to read standard input",
    )
    .addOption(
      new Option(
        "--format <format>",
        "format of the file (default: as its extension or its first character shows)",
      ).choices(IMPORT_FORMATS),
    )
    .addOption(
      new Option(
        "--encoding <encoding>",
        "encoding of a file that is not Unicode, such as windows-1250 or shift_jis (default: detected if possible)",
      ).argParser(encoding),
    )
    .addOption(
      new Option(
        "--separator <character>",
        "character that separates the cells of a CSV file, or the word tab (default: detected)",
      ).argParser(separator),
    )
    .addOption(
      new Option(
        "--update",
        'change the animals that are already in the store; the "id" or "externalId" in a line says which animal the line changes',
      ).conflicts("copies"),
    )
    .addOption(
      new Option(
        "--by <column>",
        'column by which --update finds the animals (default: "id" if a line has an id, otherwise "externalId")',
      )
        .choices(MATCHES)
        .conflicts("copies"),
    )
    .option(
      "--overwrite",
      "with --update, change an animal even if both its name and its category differ from the file",
    )
    .option("--copies", "add every line as a new animal, even if the line has the id of an existing animal")
    .option(
      "--batch <name>",
      "name by which the service recognizes this import when you run it again (default: the file's name)",
    )
    .option("--refused <file>", "file in which to save the refused lines and the reasons, as JSON Lines")
    .option("--dry-run", "check the lines and compare them with the store, but change nothing")
    .option("--json", "print how many lines were added, changed and refused, as JSON")
    .addParagraphs(EXPLANATION)
    .addExamples(
      "petstore pets import animals.csv --dry-run",
      "petstore pets import animals.csv --update --dry-run",
      "petstore pets import till.csv --update --by externalId",
      "petstore pets import animals.csv --refused refused.jsonl",
      "petstore pets import - --batch monday < animals.jsonl",
    );
  addRemoteOptions(command).action(importFile);
}

const EXPLANATION = [
  "",
  `The first line of a CSV file names the columns ${columnNames()}, in any order and in English or German (Category, Kategorie, …). Other columns are ignored. A category is a number or a name. The command detects commas, semicolons and tabs as separators. It also detects the encodings UTF-8 and UTF-16, and it detects Windows-1252 if the letters in the file are clear evidence. For any other file, you have to set --encoding. In JSON, each animal is an object whose members have these same names.`,
  "",
  'If a file has the column "id" or "externalId", the command compares the file with the store first. With --update, each line changes the animal that has its "id" or "externalId". The command changes only the fields that differ, and only if nobody else has changed the animal since the comparison. An empty cell changes nothing, and the status "none" removes the status. A line adds an animal if it has no "id", and no animal in the store has its "externalId". Without --update, the command refuses the file if its animals are already in the store. With --copies, it adds every line as a new animal.',
  "",
  'After an interruption, or after you have corrected refused lines, run the same command again: it adds only the missing animals. The service recognizes a line by its "externalId". It recognizes a line without an "externalId" by the name of the batch, by the contents of the line, and by the number of identical lines before it, but only for 24 hours. After that time, or with another --batch, the same line adds another animal.',
].join("\n");

async function importFile(file: string, options: ImportOptions) {
  if (!options.update && (options.by !== undefined || options.overwrite))
    throw new ConfigError("--by and --overwrite need --update.");
  if (options.refused !== undefined) refuseSameFile(file, options.refused);
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const stopping = new AbortController();
  signal.addEventListener("abort", () => stopping.abort());
  try {
    const input = await openInput(file, options, stopping.signal);
    const batch = options.batch ?? input.name ?? `input-${randomBase62(systemRandomBytes, 8)}`;
    const run = { input, batch, options, signal, stopping };
    const compares = !options.copies && (options.update || (await hasMatches(input)));
    if (options.dryRun && !compares) await checkFile(run);
    else
      await withClient(options, async (client) => {
        await requireConnection(client, signal);
        const connected = {
          ...run,
          service: serviceOf(client, signal, batch),
          resolve: categoryResolver(client),
        };
        if (compares) return importCompared(connected);
        await importAll(options.copies ? connected : { ...connected, client });
      });
  } finally {
    // Closes the input, which would otherwise keep this process running.
    stopping.abort();
  }
}

async function hasMatches({ beginning, dialect }: Input): Promise<boolean> {
  return (await matchesIn(beginning(), dialect)).length > 0;
}

/**
 * Checks a file's lines for `--dry-run`. No requests are sent, so this cannot check whether the categories that the file names
 * exist.
 */
async function checkFile(run: Omit<Run, "service" | "resolve">) {
  let named = 0;
  const resolve: Resolve = (text) => readNumber(text) ?? { id: named++ };
  await importAll({ ...run, service: NO_SERVICE, resolve });
  if (named > 0 && !run.options.json)
    printStatus(
      `${pluralize(named, "line gives its category", "lines give their category")} by name. A dry run does not check whether these categories exist, but the import does.`,
    );
}

/** Returns a function that looks up categories by name. It reads the list of categories when it is first called. */
function categoryResolver(client: Client): Resolve {
  const load = () => categoryNumbers(client.categories.list({ limit: PAGE_SIZE_MAX }).pages());
  let numbers: ReturnType<typeof load> | undefined;
  return async (text) => {
    numbers ??= load();
    return resolveCategory(text, await numbers);
  };
}

/** Checks the key and the service once, before the first line is imported, so that a failure is not reported for every line. */
async function requireConnection(client: Client, signal: AbortSignal) {
  try {
    await checkConnection(client, { retries: 0, signal });
  } catch (error) {
    // A rate limit error shows that the key is valid. For each line, the import later waits until the rate limit admits it.
    if (!(error instanceof PetstoreError && error.code === "rate_limited")) throw error;
  }
}

function refuseSameFile(file: string, refused: string) {
  const [source, target] = [file, refused].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (source !== undefined && source.ino === target?.ino && source.dev === target.dev)
    throw new ConfigError(
      "--refused is the same file as the one to import. Choose another file for the refused lines.",
    );
}

/** Parses the name of a character encoding, as a label of the WHATWG Encoding Standard. @throws InvalidArgumentError */
function encoding(text: string): Encoding {
  const found = encodingLabelled(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    `Use a label from the WHATWG Encoding Standard, such as ${Object.keys(FOREIGN_ENCODINGS).join(", ")}.`,
  );
}
