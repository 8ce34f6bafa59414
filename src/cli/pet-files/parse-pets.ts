import { bodyProblems, sentenceOf } from "../../contract/schema.ts";
import type { FileFormat } from "../../pet-files/file-format.ts";
import { type CheckedPet, type Columns, type ParsedPet, parsePets } from "../../pet-files/parse-pets.ts";
import type { CsvRecord } from "../../pet-files/read-csv.ts";
import { UnreadableFileError } from "../../pet-files/read-lines.ts";
import { membersOf, newPetSchema, OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from "./csv-columns.ts";

type OnIgnored = (columns: readonly string[]) => void;

const IMPORTED_COLUMNS = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];

/**
 * The animals of a file in its order, each checked against the schema of the service.
 *
 * @param onIgnored called with the columns of a CSV file that an import does not use
 * @throws UnreadableFileError when the rest of the file cannot be read
 */
export function parseCheckedPets(
  chunks: AsyncIterable<Uint8Array>,
  format: FileFormat,
  onIgnored: OnIgnored,
): AsyncGenerator<ParsedPet, void, void> {
  function columnsOf(first: CsvRecord | undefined): Columns {
    const names = requireColumns(first);
    const ignored = names.filter((column) => !IMPORTED_COLUMNS.includes(column));
    if (ignored.length > 0) onIgnored(ignored);
    return {
      count: names.length,
      membersOf: (cells) => membersOf((column) => cells[names.indexOf(column)]),
    };
  }
  return parsePets(chunks, format, { columnsOf, check });
}

/** @throws UnreadableFileError */
function requireColumns(first: CsvRecord | undefined): readonly string[] {
  if (first === undefined)
    throw new UnreadableFileError(
      `The file is empty. Its first line must name the columns ${columnNames()}.`,
    );
  const { cells, fault } = first;
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

/** Refuses in the same words as the service. */
function check(value: object): CheckedPet {
  const result = newPetSchema.safeParse(value);
  return result.success ? { pet: result.data } : { refusal: sentenceOf(bodyProblems(result.error)) };
}
