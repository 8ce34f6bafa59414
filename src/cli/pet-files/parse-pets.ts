import { JsonError, readJson } from "../../contract/json/json.ts";
import { bodyProblems, sentenceOf } from "../../contract/schema.ts";
import { IMPORT_RECORD_BYTES_MAX } from "../../limits.ts";
import { type CsvRecord, readCsv } from "../../pet-files/read-csv.ts";
import { readLines, UnreadableFileError } from "../../pet-files/read-lines.ts";
import { membersOf, type NewPet, newPetSchema, OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from "./csv-columns.ts";

export const FILE_FORMATS = ["csv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The animal of one line or record, or the reason why it is refused. */
export type ParsedPet = {
  /** Its first and its last line, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The bytes of the file up to its end. */
  readonly end: number;
} & ({ readonly pet: NewPet } | { readonly refusal: string });

type ParsedPets = AsyncGenerator<ParsedPet, void, void>;
type OnIgnored = (columns: readonly string[]) => void;
type Chunks = AsyncIterable<Uint8Array>;

const IMPORTED_COLUMNS = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];

/**
 * The animals of a file in its order, each checked against the schema of the service.
 *
 * @param onIgnored called with the columns of a CSV file that an import does not use
 * @throws UnreadableFileError when the rest of the file cannot be read
 */
export function parsePets(chunks: Chunks, format: FileFormat, onIgnored: OnIgnored): ParsedPets {
  return format === "csv" ? parseCsv(chunks, onIgnored) : parseJsonLines(chunks);
}

async function* parseCsv(chunks: Chunks, onIgnored: OnIgnored): ParsedPets {
  let columns: readonly string[] | undefined;
  for await (const record of readCsv(readLines(chunks, IMPORT_RECORD_BYTES_MAX), IMPORT_RECORD_BYTES_MAX)) {
    if (columns === undefined) {
      columns = requireColumns(record);
      const ignored = columns.filter((column) => !IMPORTED_COLUMNS.includes(column));
      if (ignored.length > 0) onIgnored(ignored);
    } else {
      const { line, lastLine, end } = record;
      yield { line, lastLine, end, ...petOfRecord(record, columns) };
    }
  }
  if (columns === undefined)
    throw new UnreadableFileError(
      `The file is empty. Its first line must name the columns ${columnNames()}.`,
    );
}

/** @throws UnreadableFileError */
function requireColumns({ cells, fault }: CsvRecord): readonly string[] {
  if (fault !== undefined) throw new UnreadableFileError(`The first line ${fault}.`);
  const missing = REQUIRED_COLUMNS.filter((column) => !cells.includes(column));
  if (missing.length > 0) {
    throw new UnreadableFileError(
      `The first line does not name ${missing.join(" and ")}. It must name the columns ${columnNames()}, separated by commas.`,
    );
  }
  const doubled = IMPORTED_COLUMNS.find((column) => cells.indexOf(column) !== cells.lastIndexOf(column));
  if (doubled !== undefined) throw new UnreadableFileError(`The first line names ${doubled} twice.`);
  return cells;
}

/** `name, categoryId and optionally status` */
export function columnNames(): string {
  return `${REQUIRED_COLUMNS.join(", ")} and optionally ${OPTIONAL_COLUMNS.join(", ")}`;
}

function petOfRecord({ cells, fault }: CsvRecord, columns: readonly string[]) {
  if (fault !== undefined) return { refusal: fault };
  if (cells.length !== columns.length)
    return { refusal: `has ${cells.length} cells, and the first line has ${columns.length}` };
  return checked(membersOf((column) => cells[columns.indexOf(column)]));
}

async function* parseJsonLines(chunks: Chunks): ParsedPets {
  for await (const { number, bytes, end } of readLines(chunks, IMPORT_RECORD_BYTES_MAX)) {
    if (isBlank(bytes)) continue;
    yield { line: number, lastLine: number, end, ...petOfJson(bytes) };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function petOfJson(bytes: Uint8Array) {
  try {
    const value = readJson(bytes);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? checked(value) : { refusal: "is not a JSON object" };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { refusal: error.message.replace(/^The body /, "").replace(/\.$/, "") };
  }
}

/** Refuses in the same words as the service. */
function checked(value: object): { readonly pet: NewPet } | { readonly refusal: string } {
  const result = newPetSchema.safeParse(value);
  return result.success ? { pet: result.data } : { refusal: sentenceOf(bodyProblems(result.error)) };
}
