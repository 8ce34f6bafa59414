import { bodyProblems, sentenceOf } from "../../contract/schema.ts";
import { MEMBERS, REQUIRED_MEMBERS, targetsOf } from "../../pet-files/columns.ts";
import type { Dialect } from "../../pet-files/dialect.ts";
import {
  type CheckedPet,
  type Columns,
  type ParsedPet,
  type PetReader,
  parsePets,
} from "../../pet-files/parse-pets.ts";
import type { CsvRecord } from "../../pet-files/read-csv.ts";
import { UnreadableFileError } from "../../pet-files/read-lines.ts";
import { petOperations } from "../../pets/contract.ts";

export const newPetSchema = petOperations.createPet.body.schema;

interface CheckOptions extends Pick<PetReader, "resolve"> {
  /** Called with the columns of a CSV file, before its first animal. */
  readonly onColumns: (columns: Columns) => void;
}

/**
 * The animals of a file, in order, each validated by the schema of the service.
 *
 * @throws UnreadableFileError if the rest of the file cannot be read
 */
export function parseCheckedPets(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  { resolve, onColumns }: CheckOptions,
): AsyncGenerator<ParsedPet, void, void> {
  return parsePets(chunks, dialect, {
    columnsOf(record) {
      const columns = columnsOf(record);
      onColumns(columns);
      return columns;
    },
    resolve,
    check,
  });
}

/** Number of animals in a file, including those that an import refuses. */
export async function countPets(chunks: AsyncIterable<Uint8Array>, dialect: Dialect): Promise<number> {
  let count = 0;
  const refuse = () => ({ refusal: "" });
  for await (const _ of parsePets(chunks, dialect, { columnsOf, resolve: refuse, check: refuse })) count++;
  return count;
}

/** Maps the first line of a CSV file to columns. @throws UnreadableFileError */
function columnsOf(record: CsvRecord | undefined): Columns {
  if (record === undefined)
    throw new UnreadableFileError(
      `The file is empty. Its first line must name the columns ${columnNames()}.`,
    );
  const { cells: first, fault } = record;
  if (fault !== undefined) throw new UnreadableFileError(`The first line ${fault}.`);
  const targets = targetsOf(first);
  const missing = REQUIRED_MEMBERS.filter((column) => !targets.includes(column));
  if (missing.length > 0) {
    throw new UnreadableFileError(
      `The first line does not name ${missing.join(" and ")}. It must name the columns ${columnNames()}, separated by commas, semicolons or tabs.`,
    );
  }
  const doubled = targets.find(
    (target, index) => target !== "" && first.indexOf(first[index] ?? "", index + 1) > 0,
  );
  if (doubled !== undefined) throw new UnreadableFileError(`The first line names ${doubled} twice.`);
  return { first, targets };
}

export function columnNames(): string {
  const optional = MEMBERS.filter((name) => !REQUIRED_MEMBERS.includes(name));
  return `${REQUIRED_MEMBERS.join(", ")} and optionally ${optional.join(", ")}`;
}

function check(value: object): CheckedPet {
  const result = newPetSchema.safeParse(value);
  return result.success ? { pet: result.data } : { refusal: sentenceOf(bodyProblems(result.error)) };
}
