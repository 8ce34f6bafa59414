import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Option } from "commander";
import type { Client, List, Paging } from "../../../client/src/client.ts";
import type { CallOptions } from "../../../client/src/options.ts";
import { ConfigError } from "../../config/settings.ts";
import { writeJson } from "../../contract/json/json.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import { FILE_FORMATS, type FileFormat, formatOf } from "../../pet-files/file-format.ts";
import { categoryNamesOf, petSpreadsheet, TEMPLATE } from "../../pet-files/spreadsheet.ts";
import { CSV, type FileWriter } from "../../pet-files/write-csv.ts";
import type { Pet } from "../../pets/contract.ts";
import type { Command } from "../command.ts";
import { writeFileAtomically } from "../terminal/atomic-write.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printPartUntilAborted, printStatus, writeWhole } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import { namesOption } from "./argument-parsers.ts";
import { categoryOption, type GivenCategory, pagesIn } from "./category-option.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";
import { hasStatusOption, type StatusFlags, statusFilterOf, statusOption } from "./status-option.ts";

const EXPORT_PAGE_MS = 150_000; // timeout of one page; longer than the window of a rate limit, so that an export waits if it exceeds the limit, because a failed export cannot be resumed

interface FileOptions extends RemoteOptions {
  readonly format?: FileFormat;
  readonly safe?: true;
  readonly force?: true;
}

interface Export<Item, Options> {
  /** The noun for the exported items, in the singular and the plural. */
  readonly of: readonly [one: string, several: string];
  readonly description: string;
  readonly filters: readonly Option[];
  readonly safe: string;
  readonly examples: readonly string[];
  readonly csv: FileWriter<Item>;
  readonly spreadsheet: (client: Client, call: CallOptions) => Promise<FileWriter<Item>>;
  readonly list: (
    client: Client,
    options: Options,
    paging: Paging,
    call: CallOptions,
  ) => Pick<List<Item>, "pages">;
}

export function addExport<Item, Options extends object>(
  group: Command,
  kind: Export<Item, Options>,
): Command {
  const command = group
    .command("export")
    .description(kind.description)
    .argument(
      "[file]",
      "file to write; after an error, no incomplete file is left (default: standard output)",
    )
    .addOption(
      new Option("--format <format>", "format of the file (default: as its extension shows, or csv)").choices(
        FILE_FORMATS,
      ),
    );
  for (const filter of kind.filters) command.addOption(filter);
  command
    .option("--safe", kind.safe)
    .option("--force", "overwrite an existing file")
    .addExamples(...kind.examples);
  addRemoteOptions(command).action((file: string | undefined, options: FileOptions & Options) =>
    exportFile(kind, file, options),
  );
  return command;
}

interface PetFilter extends StatusFlags {
  readonly category?: GivenCategory;
  readonly name?: string;
}

export function addExportCommand(pets: Command): void {
  addExport<Pet, PetFilter>(pets, {
    of: ["animal", "animals"],
    description: "export animals to a file, newest first; petstore pets import can read this file",
    filters: [
      statusOption(),
      hasStatusOption(),
      categoryOption("include only animals of this category"),
      namesOption(),
    ],
    safe: "put ' before any text that a spreadsheet would run as a formula; petstore pets import removes this ' again",
    examples: [
      "petstore pets export animals.csv --safe",
      "petstore pets export animals.jsonl --status available --force",
      "petstore pets export --format jsonl | gzip > animals.jsonl.gz",
    ],
    csv: CSV,
    spreadsheet: async ({ categories }, call) =>
      petSpreadsheet(await categoryNamesOf(categories.list({ limit: PAGE_SIZE_MAX }, call).pages())),
    list: (client, { category, name, ...flags }, paging, call) => ({
      pages: () =>
        pagesIn(client, category, (categoryId) =>
          client.pets.list({ ...statusFilterOf(flags), categoryId, name, ...paging }, call),
        ),
    }),
  });
  pets
    .command("template")
    .description("write an empty CSV file with the columns to fill in, for petstore pets import")
    .argument("<file>", "file to write")
    .option("--force", "overwrite an existing file")
    .addExamples("petstore pets template animals.csv")
    .action(async (file: string, { force }: { readonly force?: true }) => {
      await writeFile(file, force, (descriptor) => writeWhole(descriptor, TEMPLATE, file));
      printStatus(`Wrote ${file}. Fill in a line for each animal, and run petstore pets import ${file}.`);
    });
}

async function exportFile<Item, Options extends object>(
  kind: Export<Item, Options>,
  file: string | undefined,
  options: FileOptions & Options,
) {
  const format = options.format ?? (file === undefined ? "csv" : formatOf(file));
  if (format === undefined)
    throw new ConfigError(
      `The format of ${file} is unknown: it does not end in .csv, .jsonl or .ndjson. Set --format.`,
    );
  if (options.safe && format !== "csv")
    throw new ConfigError(
      `--safe works only for CSV, but the format is ${format}. Leave out --safe, or set --format csv.`,
    );
  if (file === undefined || file === "-") {
    await writeItems(kind, options, format, (text, signal) => printPartUntilAborted(signal, text));
    return;
  }
  const count = await writeFile(file, options.force, (descriptor) =>
    writeItems(kind, options, format, (text) => writeWhole(descriptor, text, file)),
  );
  printStatus(`Wrote ${pluralize(count, ...kind.of)} to ${file}.`);
}

/**
 * Writes a file completely or not at all.
 *
 * @throws Error with a message for the user if the file exists and must not be overwritten
 */
async function writeFile<Result>(
  file: string,
  force: true | undefined,
  write: (descriptor: number) => Promise<Result> | Result,
): Promise<Result> {
  const refuseOverwrite = () => {
    if (!force && existsSync(file))
      throw new Error(`${file} already exists. Choose another name, or overwrite the file with --force.`);
  };
  refuseOverwrite();
  const folder = dirname(file);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Create it, or choose another.`);
  return writeFileAtomically(file, async (descriptor) => write(descriptor), refuseOverwrite);
}

export const JSON_LINES: FileWriter<unknown> = { head: "", line: (item) => `${writeJson(item)}\n` };

type Write = (text: string, signal: AbortSignal) => void | Promise<void>;

async function writeItems<Item, Options extends object>(
  kind: Export<Item, Options>,
  options: FileOptions & Options,
  format: FileFormat,
  write: Write,
): Promise<number> {
  using interrupt = listenForInterrupt();
  const progress = startProgress("exporting");
  let count = 0;
  try {
    await withClient(options, async (client) => {
      const call = { signal: interrupt.signal, timeoutMs: EXPORT_PAGE_MS };
      const list = kind.list(client, options, { limit: PAGE_SIZE_MAX }, call);
      const safe = options.safe && (await kind.spreadsheet(client, call));
      const { line, ...file } = safe || (format === "csv" ? kind.csv : JSON_LINES);
      let { head } = file;
      for await (const page of list.pages()) {
        await write(head + page.map(line).join(""), interrupt.signal);
        head = "";
        count += page.length;
        progress.update(count);
      }
    });
  } finally {
    progress.end();
  }
  return count;
}
