import { readJson as readExactJson } from "exact-json/read-json";
import { JsonError, readJson } from "../contract/json/json.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import type { NewPet } from "../pets/contract.ts";
import type { Resolved } from "./categories.ts";
import { membersOf, shortenedNumber } from "./cells.ts";
import type { Target } from "./columns.ts";
import type { Dialect } from "./dialect.ts";
import { encodingName, toUtf8 } from "./encoding.ts";
import { type CsvRecord, readCsv } from "./read-csv.ts";
import { readLines, UnreadableFileError } from "./read-lines.ts";
import { fromSafeText } from "./safe-text.ts";
import { isSafeHeading } from "./spreadsheet.ts";

/** @property members the values in the refused line, if the line could be read */
export interface Refusal {
  readonly refusal: string;
  readonly members?: object;
}

export type CheckedPet = { readonly pet: NewPet } | Refusal;

/** The numbers of the first and the last line of an animal in the file. */
export interface Place {
  readonly line: number;
  readonly lastLine: number;
}

/** The animal in one line or record, or the reason why the line is refused. */
export type ParsedPet = CheckedPet & Place;

/** The cells of a CSV file's first line, and the member that each column contains. */
export interface Columns {
  readonly first: readonly string[];
  readonly targets: readonly Target[];
  /** True if the first line contains an animal instead of headings. */
  readonly isRecord?: boolean;
}

export interface PetReader<Value = { readonly pet: NewPet }> {
  /**
   * Finds the member for each column of a CSV file. `first` is the first record of the file; it is undefined if the file is
   * empty.
   *
   * @throws UnreadableFileError
   */
  readonly columnsOf: (first: CsvRecord | undefined) => Columns;
  /** Finds the number of the category that a cell specifies. The cell may contain the category's name or its number. */
  readonly resolve: (text: string) => Resolved | Promise<Resolved>;
  /** Checks an animal's members against the schema, or accepts them all and leaves the check to the service. */
  readonly check: (members: object) => Value | Refusal;
  /** True if the import may change animals. Their identifiers are then read as well. */
  readonly isUpdate?: boolean;
}

type Parsed<Value> = AsyncGenerator<(Value | Refusal) & Place, void, void>;
type Chunks = AsyncIterable<Uint8Array>;

/** Parses the animals of a file, in order. @throws UnreadableFileError if the rest of the file cannot be read */
export function parsePets<Value>(chunks: Chunks, dialect: Dialect, reader: PetReader<Value>): Parsed<Value> {
  if (dialect.format === "csv") return parseCsv(chunks, dialect, reader);
  const text = toUtf8(chunks, dialect.encoding);
  const items = dialect.format === "json" ? readJsonArray(text, BODY_BYTES_MAX) : readJsonLines(text);
  return parseJson(items, reader);
}

/** Reads the records of a CSV file. Skips the line that tells Excel the separator, and empty rows. */
export async function* readRecords(chunks: Chunks, dialect: Dialect): AsyncGenerator<CsvRecord, void, void> {
  const { encoding, lineBreak, separator, hasSeparatorLine } = dialect;
  const lines = readLines(toUtf8(chunks, encoding), BODY_BYTES_MAX, lineBreak);
  const records = readCsv(lines, {
    maxBytes: BODY_BYTES_MAX,
    separator,
    encoding: encodingName(encoding),
  });
  for await (const record of records)
    if (!(hasSeparatorLine && record.line === 1) && !isEmptyRow(record)) yield record;
}

function isEmptyRow({ cells, fault }: CsvRecord): boolean {
  return fault === undefined && cells.every((cell) => cell.trim() === "");
}

async function* parseCsv<Value>(chunks: Chunks, dialect: Dialect, reader: PetReader<Value>): Parsed<Value> {
  let columns: Columns | undefined;
  let isSafe: readonly boolean[] = [];
  for await (const record of readRecords(chunks, dialect)) {
    const isFirst = columns === undefined;
    columns ??= reader.columnsOf(record);
    if (isFirst && !columns.isRecord) {
      isSafe = columns.first.map(isSafeHeading);
      continue;
    }
    const { line, lastLine } = record;
    const cells = record.cells.map((cell, column) => (isSafe[column] ? fromSafeText(cell) : cell));
    yield { line, lastLine, ...(await petOfRecord({ ...record, cells }, columns, reader)) };
  }
  if (columns === undefined) reader.columnsOf(undefined);
}

function petOfRecord<Value>(
  { cells, fault }: CsvRecord,
  { first, targets }: Columns,
  reader: PetReader<Value>,
): Refusal | Promise<Value | Refusal> {
  if (fault !== undefined) return { refusal: fault };
  const isLonger = cells.slice(first.length).some((cell) => cell !== "");
  // A row may have fewer cells than the first line, because Excel may leave out empty cells in columns that have no heading.
  if (isLonger || cells.length <= first.findLastIndex((heading) => heading !== ""))
    return {
      refusal: `has ${cells.length === 1 ? "1 cell" : `${cells.length} cells`}, but the first line has ${first.length}`,
    };
  const members = membersOf(targets, cells, reader.isUpdate ?? false);
  const refusal = reader.isUpdate ? shortenedNumber(targets, cells) : undefined;
  return refusal === undefined ? petOf(members, reader) : { refusal, members };
}

async function petOf<Value>(members: object, { resolve, check }: PetReader<Value>): Promise<Value | Refusal> {
  if (!("categoryId" in members) || typeof members.categoryId !== "string") return check(members);
  const resolved = await resolve(members.categoryId);
  return "refusal" in resolved ? { ...resolved, members } : check({ ...members, categoryId: resolved.id });
}

async function* readJsonLines(chunks: Chunks): AsyncGenerator<JsonItem, void, void> {
  for await (const { number, bytes } of readLines(chunks, BODY_BYTES_MAX))
    if (!isBlankLine(bytes)) yield { line: number, lastLine: number, bytes };
}

async function* parseJson<Value>(items: AsyncIterable<JsonItem>, reader: PetReader<Value>): Parsed<Value> {
  for await (const { bytes, ...place } of items) yield { ...place, ...(await petOfJson(bytes, reader)) };
}

function isBlankLine(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function petOfJson<Value>(bytes: Uint8Array, reader: PetReader<Value>): Refusal | Promise<Value | Refusal> {
  try {
    const value = readStrictly(bytes);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? petOf(value, reader) : { refusal: "is not a JSON object" };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { refusal: error.message.replace(/^The body /, "").replace(/\.$/, "") };
  }
}

/**
 * Parses JSON as strictly as the service does. Numbers are exact, even in browsers whose JSON parser does not give access to the
 * digits of a number.
 */
function readStrictly(bytes: Uint8Array): unknown {
  readJson(bytes);
  return readExactJson(new TextDecoder().decode(bytes));
}

/** An item of a JSON array, or a line of JSON Lines. Its bytes may be invalid UTF-8. */
interface JsonItem extends Place {
  readonly bytes: Uint8Array;
}

const [QUOTE, BACKSLASH, COMMA, ARRAY, LF] = [0x22, 0x5c, 0x2c, 0x5b, 0x0a];
const OPENING: readonly number[] = [ARRAY, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];
const BLANK: readonly number[] = [0x20, 0x09, LF, 0x0d];
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * Reads the items of a JSON array, which may be on one line or on many. Keeps only the current item in memory.
 *
 * @throws UnreadableFileError if an item is longer than `maxBytes`, or the beginning or end of the array is missing
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<JsonItem, void, void> {
  const text = { depth: 0, isString: false, isEscaped: false };
  let place: "before" | "inside" | "after" = "before";
  let line = 1;
  let count = 0;
  let item: { line: number; lastLine: number; bytes: number[] } | undefined;
  for await (const chunk of chunks)
    for (const byte of chunk) {
      count++;
      if (byte === LF) line++;
      const isBlank = !text.isString && BLANK.includes(byte);
      if (place !== "inside") {
        if (place === "before" && byte === ARRAY) place = "inside";
        else if (!isBlank && !(count <= 3 && BYTE_ORDER_MARK.includes(byte)))
          throw new UnreadableFileError(`Line ${line} has text ${place} the array.`);
        continue;
      }
      const isSyntax = !text.isString;
      advance(text, byte);
      const isEnd = text.depth < 0;
      if (isEnd || (isSyntax && text.depth === 0 && byte === COMMA)) {
        if (item !== undefined) yield { ...item, bytes: Uint8Array.from(item.bytes) };
        item = undefined;
        if (isEnd) place = "after";
      } else if (item !== undefined || !isBlank) {
        item ??= { line, lastLine: line, bytes: [] };
        item.bytes.push(byte);
        if (!isBlank) item.lastLine = line;
        if (item.bytes.length > maxBytes)
          throw new UnreadableFileError(
            `The item that begins in line ${item.line} is longer than ${maxBytes} bytes.`,
          );
      }
    }
  if (place !== "after") throw new UnreadableFileError("The array does not end with ].");
}

/** Counts how deeply brackets are nested, except in strings. A depth below 0 means that the array has ended. */
function advance(text: { depth: number; isString: boolean; isEscaped: boolean }, byte: number) {
  if (text.isString) {
    text.isString = text.isEscaped || byte !== QUOTE;
    text.isEscaped = !text.isEscaped && byte === BACKSLASH;
  } else if (byte === QUOTE) text.isString = true;
  else if (OPENING.includes(byte)) text.depth++;
  else if (CLOSING.includes(byte)) text.depth--;
}
