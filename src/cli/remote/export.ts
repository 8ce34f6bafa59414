import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Option } from "commander";
import type { Int64, PetStatus } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { writeJson } from "../../contract/json/json.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import { FILE_FORMATS, type FileFormat, formatOf } from "../../pet-files/file-format.ts";
import { CSV, SAFE_CSV } from "../../pet-files/write-csv.ts";
import { PET_STATUSES, type Pet } from "../../pets/contract.ts";
import type { Command } from "../command.ts";
import { writeFileAtomically } from "../terminal/atomic-write.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printPartUntilAborted, printStatus, writeWhole } from "../terminal/output.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import { idOption, namesOption } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";

const EXPORT_PAGE_MS = 150_000; // a rate limit's window and the page: an export cannot be resumed

interface ExportOptions extends RemoteOptions {
  readonly format?: FileFormat;
  readonly safe?: true;
  readonly status?: PetStatus;
  readonly category?: Int64;
  readonly name?: string;
  readonly force?: true;
}

export function addExportCommand(pets: Command): void {
  const command = pets
    .command("export")
    .description("write animals, newest first, to a file that pets import can read")
    .argument("[file]", "file to write, whole or not at all (default: standard output)")
    .addOption(
      new Option("--format <format>", "format of the file (default: from its extension, or csv)").choices(
        FILE_FORMATS,
      ),
    )
    .addOption(new Option("--status <status>", "only animals with this status").choices(PET_STATUSES))
    .addOption(idOption("--category <id>", "only animals of this category", "category"))
    .addOption(namesOption())
    .option("--safe", "CSV in which a spreadsheet finds no formulas; pets import restores the names")
    .option("--force", "overwrite an existing file")
    .addExamples(
      "petstore pets export animals.csv --safe",
      "petstore pets export animals.jsonl --status available --force",
      "petstore pets export --format jsonl | gzip > animals.jsonl.gz",
    );
  addRemoteOptions(command).action(exportFile);
}

async function exportFile(file: string | undefined, options: ExportOptions) {
  const format = options.format ?? (file === undefined ? "csv" : formatOf(file));
  if (format === undefined)
    throw new ConfigError(
      `The format of ${file} is unknown: it does not end in .csv, .jsonl or .ndjson. Set --format.`,
    );
  if (options.safe && format !== "csv")
    throw new ConfigError(
      `--safe is for CSV, and the format is ${format}. Leave out --safe, or set --format csv.`,
    );
  if (file === undefined || file === "-") {
    await writePets(options, format, (text, signal) => printPartUntilAborted(signal, text));
    return;
  }
  const refuseOverwrite = () => {
    if (!options.force && existsSync(file))
      throw new Error(`${file} exists already. Choose another name, or overwrite it with --force.`);
  };
  refuseOverwrite();
  const folder = dirname(file);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Create it, or choose another.`);
  const writeTo = (descriptor: number) =>
    writePets(options, format, (text) => writeWhole(descriptor, text, file));
  const count = await writeFileAtomically(file, writeTo, refuseOverwrite);
  printStatus(`Wrote ${pluralize(count, "animal", "animals")} to ${file}.`);
}

/** Header of an exported file, and the function that writes its lines; JSON Lines has no header. */
export const FILE_WRITERS = {
  csv: CSV,
  safe: SAFE_CSV,
  jsonl: { head: "", line: (pet: Pet) => `${writeJson(pet)}\n` },
};

type Write = (text: string, signal: AbortSignal) => void | Promise<void>;

async function writePets(options: ExportOptions, format: FileFormat, write: Write): Promise<number> {
  const { status, category: categoryId, name } = options;
  using interrupt = listenForInterrupt();
  const progress = startProgress("exporting");
  let count = 0;
  try {
    await withClient(options, async ({ pets }) => {
      const call = { signal: interrupt.signal, timeoutMs: EXPORT_PAGE_MS };
      const list = pets.list({ status, categoryId, name, limit: PAGE_SIZE_MAX }, call);
      const { line, ...file } = FILE_WRITERS[options.safe ? "safe" : format];
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
