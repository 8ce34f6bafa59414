import { readJson as readExactJson } from "../../client/src/read-json.ts";
import { JsonError, readJson } from "../contract/json/json.ts";
import { IMPORT_RECORD_BYTES_MAX } from "../limits.ts";
import type { FileFormat } from "./file-format.ts";
import type { NewPet } from "./new-pet.ts";
import { type CsvRecord, readCsv } from "./read-csv.ts";
import { readLines } from "./read-lines.ts";

export type CheckedPet = { readonly pet: NewPet } | { readonly refusal: string };

/** The animal of one line or record, or the reason why it is refused. */
export type ParsedPet = CheckedPet & {
  /** Its first and its last line, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The bytes of the file up to its end. */
  readonly end: number;
};

/** What the first line of a CSV file says about it. */
export interface Columns {
  readonly count: number;
  /** The members of a record as JSON would have them, not checked yet. */
  readonly membersOf: (cells: readonly string[]) => object;
  /** It names no columns: it is an animal itself. */
  readonly isRecord?: boolean;
}

interface PetReader {
  /** @throws UnreadableFileError; its record is undefined for an empty file */
  readonly columnsOf: (first: CsvRecord | undefined) => Columns;
  readonly check: (members: object) => CheckedPet;
}

type ParsedPets = AsyncGenerator<ParsedPet, void, void>;
type Chunks = AsyncIterable<Uint8Array>;

/**
 * The animals of a file in its order.
 *
 * @throws UnreadableFileError when the rest of the file cannot be read
 */
export function parsePets(chunks: Chunks, format: FileFormat, reader: PetReader): ParsedPets {
  return format === "csv" ? parseCsv(chunks, reader) : parseJsonLines(chunks, reader);
}

export function readRecords(chunks: Chunks): AsyncGenerator<CsvRecord, void, void> {
  return readCsv(readLines(chunks, IMPORT_RECORD_BYTES_MAX), IMPORT_RECORD_BYTES_MAX);
}

async function* parseCsv(chunks: Chunks, { columnsOf, check }: PetReader): ParsedPets {
  let columns: Columns | undefined;
  for await (const record of readRecords(chunks)) {
    const isFirst = columns === undefined;
    columns ??= columnsOf(record);
    if (isFirst && !columns.isRecord) continue;
    const { line, lastLine, end } = record;
    yield { line, lastLine, end, ...petOfRecord(record, columns, check) };
  }
  if (columns === undefined) columnsOf(undefined);
}

function petOfRecord({ cells, fault }: CsvRecord, columns: Columns, check: PetReader["check"]): CheckedPet {
  if (fault !== undefined) return { refusal: fault };
  if (cells.length !== columns.count)
    return { refusal: `has ${cells.length} cells, and the first line has ${columns.count}` };
  return check(columns.membersOf(cells));
}

async function* parseJsonLines(chunks: Chunks, { check }: PetReader): ParsedPets {
  for await (const { number, bytes, end } of readLines(chunks, IMPORT_RECORD_BYTES_MAX)) {
    if (isBlank(bytes)) continue;
    yield { line: number, lastLine: number, end, ...petOfJson(bytes, check) };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function petOfJson(bytes: Uint8Array, check: PetReader["check"]): CheckedPet {
  try {
    const value = readStrictly(bytes);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? check(value) : { refusal: "is not a JSON object" };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { refusal: error.message.replace(/^The body /, "").replace(/\.$/, "") };
  }
}

/** Refuses what the service refuses, and is exact in browsers whose parser does not show a number's digits, too. */
function readStrictly(bytes: Uint8Array): unknown {
  readJson(bytes);
  return readExactJson(new TextDecoder().decode(bytes));
}
