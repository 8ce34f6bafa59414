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

/** Adds the options of every command that prints resources: `--output`, `--quiet` and `--json`. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", "print in this format; id prints only the identifiers").choices(
        OUTPUT_FORMATS,
      ),
    )
    .addOption(
      new Option("-q, --quiet", "print only the identifiers, or only the new secret").conflicts([
        "output",
        "json",
      ]),
    )
    .addOption(new Option("--json", "the same as -o json").conflicts("output"));
}

/** Returns the output format that the options select; undefined for a table. */
export function outputFormatOf({ output, quiet, json }: OutputOptions): OutputFormat | undefined {
  return quiet ? "id" : json ? "json" : output;
}

/** The format of a resource's table. If a member of the resource has no heading, the program does not compile. */
export interface TableFormat<Item> {
  readonly plural: string;
  readonly headings: Readonly<Record<keyof Item & string, string>>;
  /** The member that gets a column only if at least one item has a value for it. */
  readonly optional?: (keyof Item & string) | undefined;
  /** For each member, a function that formats its cells. Without such a function, a cell shows the member's value as text. */
  readonly cells?: { readonly [Member in keyof Item]?: (value: NonNullable<Item[Member]>) => Cell };
}

/** Format of a list on the command line: the columns of the table, of CSV, and of tab-separated values. */
export interface RowFormat<Item> {
  readonly plural: string;
  readonly columns: readonly string[];
  readonly row: (item: Item) => readonly Cell[];
  /** Columns of CSV and tab-separated values. The first column is the identifier. */
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

/** Prints one record. In JSON, prints an object, not an array that contains one object. */
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

/**
 * Prints the result of a change. Without an output format, it prints a sentence on standard error. With an output format, it prints
 * the changed resource on standard output.
 */
export function printOutcome(options: OutputOptions, outcome: object, sentence: string): void {
  if (options.quiet) return;
  if (outputFormatOf(options) === undefined) printStatus(sentence);
  else printRecord(options, formatFor(outcome), outcome);
}

interface NewSecret<Item> {
  readonly item: Item;
  readonly secret: string;
  /** Sentence to print on standard error when only the secret goes to standard output. */
  readonly sentence?: string;
  /**
   * Sentences for the error that is thrown if the secret could not be printed. They say what was created anyway, and what to do
   * now.
   */
  readonly ifLost: string;
}

/**
 * Prints a new secret. By default, only the secret goes to standard output, for use in a script, and a sentence goes to standard
 * error. With an output format, the whole record is printed.
 *
 * @throws Error whose message ends with `ifLost` if the secret could not be printed, even if the reader has closed the pipe
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

/** Prints a header, even if there are no items, and then a line for each item. */
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
  /** The index of the column that is left out, because no item so far has a value for it; -1 if no column is left out. */
  let left = optional === undefined ? -1 : membersOf(format).indexOf(optional);
  let table: ReturnType<typeof startTable> | undefined;
  return {
    add(items) {
      if (items.length === 0) return;
      if (optional !== undefined && left >= 0 && items.some((item) => item[optional] !== undefined)) {
        // If an item on this page has a value for the column that was left out, a new table begins that includes the column.
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

/** Returns a value as text for CSV. Control characters are escaped on a terminal, but not in a file. */
function csvValue(value: unknown): string {
  return process.stdout.isTTY ? escapeControls(textOf(value)) : textOf(value);
}

/**
 * Writes a line of tab-separated values. Tabs, line breaks and backslashes in a value are escaped as in jq: `\t`, `\n`, `\r`,
 * `\\`.
 */
function tsvLine(values: readonly string[]): string {
  return `${values.map((value) => escapeControls(value.replaceAll("\\", "\\\\"))).join("\t")}\n`;
}

/** Converts a value to text. Null and undefined become an empty text, and an object becomes JSON. */
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
