import type { z } from "zod";
import { parseInt64 } from "../../../client/src/int64.ts";
import { JsonError, readJson, writeJson } from "../../contract/json/json.ts";
import { bodyProblems, sentenceOf } from "../../contract/schema.ts";
import { IMPORT_RECORD_BYTES_MAX } from "../../limits.ts";
import { type Pet, petOperations } from "../../pets/contract.ts";
import { type CsvRecord, readCsv, writeCsv } from "./csv.ts";
import { readLines, UnreadableFileError } from "./read-lines.ts";

export const FILE_FORMATS = ["csv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const newPetSchema = petOperations.createPet.body.schema;
export type NewPet = z.infer<typeof newPetSchema>;

/** What stands in a file for one animal, or why that is none. */
export type ParsedPet = {
  /** The first and the last of its lines, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** How much of the file has been seen, in bytes. */
  readonly end: number;
} & ({ readonly animal: NewPet } | { readonly refusal: string });

const COLUMNS = ["id", "name", "categoryId", "status"] as const;
const REQUIRED_COLUMNS = ["name", "categoryId"];
const TAKEN_COLUMNS: readonly string[] = ["name", "categoryId", "status"];

/**
 * The animals of a file, one after the other, each checked as the service checks it.
 *
 * @param onIgnored is told which columns of a CSV file mean nothing here
 * @throws UnreadableFileError when nothing more can be read
 */
export function parsePets(
  chunks: AsyncIterable<Uint8Array>,
  format: FileFormat,
  onIgnored: (columns: readonly string[]) => void,
): AsyncGenerator<ParsedPet, void, void> {
  return format === "csv" ? parseCsv(chunks, onIgnored) : parseJsonLines(chunks);
}

async function* parseCsv(
  chunks: AsyncIterable<Uint8Array>,
  onIgnored: (columns: readonly string[]) => void,
): AsyncGenerator<ParsedPet, void, void> {
  let columns: readonly string[] | undefined;
  for await (const record of readCsv(readLines(chunks, IMPORT_RECORD_BYTES_MAX), IMPORT_RECORD_BYTES_MAX)) {
    if (columns === undefined) {
      columns = requireColumns(record);
      const ignored = columns.filter((column) => !TAKEN_COLUMNS.includes(column));
      if (ignored.length > 0) onIgnored(ignored);
    } else {
      const { line, lastLine, end } = record;
      yield { line, lastLine, end, ...animalOfRecord(record, columns) };
    }
  }
  if (columns === undefined)
    throw new UnreadableFileError("The file is empty: its first line names the columns.");
}

/** @throws UnreadableFileError, in words for who made the file */
function requireColumns({ cells, fault }: CsvRecord): readonly string[] {
  if (fault !== undefined) throw new UnreadableFileError(`The first line ${fault}.`);
  const missing = REQUIRED_COLUMNS.filter((column) => !cells.includes(column));
  if (missing.length > 0) {
    throw new UnreadableFileError(
      `The first line must name the columns name, categoryId and, if there is one, status, with commas between them: there is no ${missing.join(" and no ")}.`,
    );
  }
  const doubled = TAKEN_COLUMNS.find((column) => cells.indexOf(column) !== cells.lastIndexOf(column));
  if (doubled !== undefined) throw new UnreadableFileError(`The first line names ${doubled} twice.`);
  return cells;
}

function animalOfRecord({ cells, fault }: CsvRecord, columns: readonly string[]) {
  if (fault !== undefined) return { refusal: fault };
  if (cells.length !== columns.length)
    return { refusal: `has ${cells.length} cells, and the first line has ${columns.length}` };
  const cell = (column: string) => cells[columns.indexOf(column)];
  const categoryId = cell("categoryId") || undefined;
  return checked({
    name: cell("name"),
    categoryId: categoryId === undefined ? undefined : (parseInt64(categoryId) ?? categoryId),
    status: cell("status") || undefined,
  });
}

async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedPet, void, void> {
  for await (const { number, bytes, end } of readLines(chunks, IMPORT_RECORD_BYTES_MAX)) {
    if (isBlank(bytes)) continue;
    yield { line: number, lastLine: number, end, ...animalOfJson(bytes) };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function animalOfJson(bytes: Uint8Array) {
  try {
    const value = readJson(bytes);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? checked(value) : { refusal: "is not a JSON object" };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { refusal: error.message.replace(/^The body /, "").replace(/\.$/, "") };
  }
}

/** In the service's own words. */
function checked(value: object): { readonly animal: NewPet } | { readonly refusal: string } {
  const result = newPetSchema.safeParse(value);
  return result.success ? { animal: result.data } : { refusal: sentenceOf(bodyProblems(result.error)) };
}

/** What an exported file begins with. */
export function fileHead(format: FileFormat): string {
  return format === "csv" ? writeCsv(COLUMNS) : "";
}

/** An animal as a line of a file, which an import reads again as it was. */
export function fileLine(format: FileFormat, pet: Pet): string {
  if (format === "jsonl") return `${writeJson(pet)}\n`;
  const { id, name, categoryId, status = "" } = pet;
  return writeCsv([String(id), name, String(categoryId), status]);
}
