import { Option } from "commander";
import { writeJson } from "../../contract/json/json.ts";
import { writeCsv } from "../../pet-files/write-csv.ts";
import type { Command } from "../command.ts";
import { escapeControls, escapeControlsInJson } from "./escape-controls.ts";
import { type JsonOption, print, printJson, printPart, printStatus } from "./output.ts";
import { type Cell, startTable } from "./table.ts";

const OUTPUT_FORMATS = ["json", "jsonl", "csv", "tsv", "id"] as const;
type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface OutputOptions extends JsonOption {
  readonly output?: OutputFormat;
  readonly quiet?: true;
}

/** Adds `--output`, `--quiet` and `--json`, the options of every command that prints a resource. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", "print in this format; id prints only the identifiers").choices(
        OUTPUT_FORMATS,
      ),
    )
    .addOption(
      new Option("-q, --quiet", "print only identifiers, or the new secret").conflicts(["output", "json"]),
    )
    .addOption(new Option("--json", "the same as -o json").conflicts("output"));
}

/** The output format that the options choose; undefined for a table. */
export function outputFormatOf({ output, quiet, json }: OutputOptions): OutputFormat | undefined {
  return quiet ? "id" : json ? "json" : output;
}

/** Format of a resource's table. If a member has no heading, it does not compile. */
export interface TableFormat<Item> {
  readonly plural: string;
  readonly headings: Readonly<Record<keyof Item & string, string>>;
  /** Member that gets a column only if some item has a value for it. */
  readonly optional?: (keyof Item & string) | undefined;
  /** Functions that format a member's cell. By default a cell is the member as text. */
  readonly cells?: { readonly [Member in keyof Item]?: (value: NonNullable<Item[Member]>) => Cell };
}

/** Format of a list of items on the command line: columns of a table, of CSV and of tab-separated values. */
export interface RowFormat<Item> {
  readonly plural: string;
  readonly columns: readonly string[];
  readonly row: (item: Item) => readonly Cell[];
  /** Columns of CSV and tab-separated values. The first one is the identifier. */
  readonly members: readonly (keyof Item & string)[];
  readonly optional?: TableFormat<Item>["optional"];
}

export type RecordFormat<Item> = TableFormat<Item> | RowFormat<Item>;

interface RecordPrinter<Item> {
  add(items: readonly Item[]): void;
  end(): void;
}

export function startRecords<Item extends object>(
  options: OutputOptions,
  format: RecordFormat<Item>,
): RecordPrinter<Item> {
  const members = membersOf(format);
  switch (outputFormatOf(options)) {
    case "json":
      return startJsonArray();
    case "jsonl":
      return linesOf((item) => `${escapeControlsInJson(writeJson(item))}\n`);
    case "csv":
      return linesOf((item) => writeCsv(members.map((member) => csvValue(item[member]))), writeCsv(members));
    case "tsv":
      return linesOf((item) => tsvLine(members.map((member) => textOf(item[member]))), tsvLine(members));
    case "id":
      return linesOf((item) => `${escapeControls(textOf(members[0] && item[members[0]]))}\n`);
    case undefined:
      return startTableOf(format);
  }
}

/** Prints one record. As JSON, it is not in an array. */
export function printRecord<Item extends object>(
  options: OutputOptions,
  format: RecordFormat<Item>,
  item: Item,
): void {
  if (outputFormatOf(options) === "json") printJson(item);
  else printAll(options, format, [item]);
}

export function printAll<Item extends object>(
  options: OutputOptions,
  format: RecordFormat<Item>,
  items: readonly Item[],
): void {
  const records = startRecords(options, format);
  records.add(items);
  records.end();
}

/** Prints the result of a change: a sentence on standard error, or the format of the options on standard output. */
export function printOutcome(options: OutputOptions, outcome: object, sentence: string): void {
  if (options.quiet) return;
  if (outputFormatOf(options) === undefined) printStatus(sentence);
  else printRecord(options, formatFor(outcome), outcome);
}

interface NewSecret<Item> {
  readonly item: Item;
  readonly secret: string;
  /** Sentences for standard error, if only the secret is printed. */
  readonly sentence?: string;
  /** Sentences for the case that nobody could read the secret: what exists nevertheless, and what to do. */
  readonly ifLost: string;
}

/**
 * Prints a new secret: alone on standard output for a script, with a sentence on standard error; or in the whole record.
 *
 * @throws Error that ends with `ifLost`, also if the reader has closed the pipe
 */
export function printSecret<Item extends object>(
  options: OutputOptions,
  { item, secret, sentence, ifLost }: NewSecret<Item>,
): void {
  const isAlone = options.quiet || outputFormatOf(options) === undefined;
  try {
    if (isAlone) print(secret);
    else printRecord(options, formatFor(item), item);
  } catch (error) {
    throw new Error(`The result could not be written to standard output. ${ifLost}`, { cause: error });
  }
  if (isAlone && !options.quiet && sentence !== undefined) printStatus(sentence);
}

function formatFor<Item extends object>(item: Item): RowFormat<Item> {
  const members = Object.keys(item) as (keyof Item & string)[];
  return { plural: "", columns: [], row: () => [], members };
}

/** Prints a line for each item, after a head, which is printed even if there are no items. */
function linesOf<Item>(line: (item: Item) => string, head = ""): RecordPrinter<Item> {
  let isHeadDue = head !== "";
  function add(items: readonly Item[]) {
    printPart((isHeadDue ? head : "") + items.map(line).join(""));
    isHeadDue = false;
  }
  return { add, end: () => isHeadDue && add([]) };
}

function startTableOf<Item>(format: RecordFormat<Item>): RecordPrinter<Item> {
  const columns: readonly string[] = "row" in format ? format.columns : Object.values(format.headings);
  const { optional } = format;
  /** Index of the column that is left out. */
  let left = optional === undefined ? -1 : membersOf(format).indexOf(optional);
  let table: ReturnType<typeof startTable> | undefined;
  return {
    add(items) {
      if (items.length === 0) return;
      if (optional !== undefined && left >= 0 && items.some((item) => item[optional] !== undefined)) {
        // The first value for this member is on a later page, so the table begins again with its column.
        left = -1;
        table = undefined;
      }
      table ??= startTable(columns.filter((_, index) => index !== left));
      table.add(items.map((item) => rowOf(format, item).filter((_, index) => index !== left)));
    },
    end() {},
  };
}

export function rowOf<Item>(format: RecordFormat<Item>, item: Item): readonly Cell[] {
  if ("row" in format) return format.row(item);
  return membersOf(format).map((member) => {
    const value = item[member] ?? undefined;
    return value === undefined ? "" : (format.cells?.[member]?.(value) ?? String(value));
  });
}

export function membersOf<Item>(format: RecordFormat<Item>): readonly (keyof Item & string)[] {
  return "row" in format ? format.members : (Object.keys(format.headings) as (keyof Item & string)[]);
}

/** Text of a value in CSV: unchanged for a file, with control characters escaped on a terminal. */
function csvValue(value: unknown): string {
  return process.stdout.isTTY ? escapeControls(textOf(value)) : textOf(value);
}

/** A line of tab-separated values in jq's notation: `\t`, `\n`, `\r` and `\\` in a value are escaped. */
function tsvLine(values: readonly string[]): string {
  return `${values.map((value) => escapeControls(value.replaceAll("\\", "\\\\"))).join("\t")}\n`;
}

/** Converts a value to text. Null and a missing member become empty, and an object becomes JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? writeJson(value) : String(value);
}

function startJsonArray(): { add(values: readonly unknown[]): void; end(): void } {
  let separator = "[\n";
  return {
    add(values) {
      for (const value of values) {
        printPart(separator + escapeControlsInJson(writeJson(value, 2)).replaceAll(/^/gm, "  "));
        separator = ",\n";
      }
    },
    end: () => printPart(separator === "[\n" ? "[]\n" : "\n]\n"),
  };
}
