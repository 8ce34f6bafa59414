import { bodyProblems, sentenceOf } from "../../contract/schema.ts";
import { MEMBERS, REQUIRED_MEMBERS, targetsOf } from "../../pet-files/columns.ts";
import type { ParsedRow } from "../../pet-files/compare-pets.ts";
import type { Dialect } from "../../pet-files/dialect.ts";
import { MATCHES, type MatchBy } from "../../pet-files/look-up.ts";
import {
  type CheckedPet,
  type Columns,
  type ParsedPet,
  type PetReader,
  parsePets,
  type Refusal,
} from "../../pet-files/parse-pets.ts";
import type { CsvRecord } from "../../pet-files/read-csv.ts";
import { UnreadableFileError } from "../../pet-files/read-lines.ts";
import { pet, petOperations, petPatch } from "../../pets/contract.ts";

export const newPetSchema = petOperations.createPet.body.schema;

const rowSchema = petPatch.extend({ id: pet.shape.id.optional() });

interface CheckOptions extends Pick<PetReader, "resolve"> {
  /** Called with the columns of a CSV file, before its first animal is read. */
  readonly onColumns: (columns: Columns) => void;
}

/**
 * Reads the animals of a file in order, and checks each animal against the service's schema.
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
      const { first, targets } = columnsOf(record);
      requireColumns(targets);
      const columns = { first, targets: targets.map((target) => (target === "id" ? "" : target)) };
      onColumns(columns);
      return columns;
    },
    resolve,
    check: checkNewPet,
  });
}

/**
 * Reads the lines of a file in order, and checks each line against the service's schemas. Used by imports that may change
 * animals.
 */
export function parseCheckedRows(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  { resolve, onColumns }: CheckOptions,
): AsyncGenerator<ParsedRow, void, void> {
  return parsePets(chunks, dialect, {
    isUpdate: true,
    columnsOf(record) {
      const columns = columnsOf(record);
      if (!MATCHES.some((by) => columns.targets.includes(by)))
        throw new UnreadableFileError(`The first line has no column "${MATCHES.join('" or "')}".`);
      onColumns(columns);
      return columns;
    },
    resolve,
    check: checkRow,
  });
}

/**
 * Returns the members that can be used to match the lines of a file with animals in the store. The members are read from the CSV
 * columns or from the first JSON object.
 */
export async function matchesIn(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
): Promise<readonly MatchBy[]> {
  let targets: readonly string[] = [];
  const reader = {
    isUpdate: true,
    columnsOf(record: CsvRecord | undefined) {
      const columns = { first: record?.cells ?? [], targets: targetsOf(record?.cells ?? []) };
      ({ targets } = columns);
      return columns;
    },
    resolve: () => ({ id: 1 }),
    check: (members: object) => ({ members }),
  };
  try {
    for await (const item of parsePets(chunks, dialect, reader)) {
      if (dialect.format !== "csv") targets = Object.keys(item.members ?? {});
      break;
    }
  } catch (error) {
    // An unreadable file is not reported here, because the same error will be reported when the whole file is read.
    if (!(error instanceof UnreadableFileError)) throw error;
  }
  return MATCHES.filter((by) => targets.includes(by));
}

/** Counts the animals in a file, including those that an import would refuse. */
export async function countPets(chunks: AsyncIterable<Uint8Array>, dialect: Dialect): Promise<number> {
  let count = 0;
  const refuse = () => ({ refusal: "" });
  const reader = { columnsOf, resolve: refuse, check: refuse };
  for await (const _ of parsePets<Refusal>(chunks, dialect, reader)) count++;
  return count;
}

/** Determines a CSV file's columns from its first line. @throws UnreadableFileError */
function columnsOf(record: CsvRecord | undefined): Columns {
  if (record === undefined)
    throw new UnreadableFileError(
      `The file is empty. The first line must name the columns ${columnNames()}.`,
    );
  const { cells: first, fault } = record;
  if (fault !== undefined) throw new UnreadableFileError(`The first line ${fault}.`);
  const targets = targetsOf(first);
  const doubled = targets.find(
    (target, index) => target !== "" && first.indexOf(first[index] ?? "", index + 1) > 0,
  );
  if (doubled !== undefined)
    throw new UnreadableFileError(`The first line contains the column "${doubled}" twice.`);
  return { first, targets };
}

function requireColumns(targets: Columns["targets"]) {
  const missing = REQUIRED_MEMBERS.filter((column) => !targets.includes(column));
  if (missing.length > 0) {
    throw new UnreadableFileError(
      `The first line has no column "${missing.join('" and "')}". The first line must name the columns ${columnNames()}, separated by commas, semicolons or tabs.`,
    );
  }
}

export function columnNames(): string {
  const optional = MEMBERS.filter((name) => !REQUIRED_MEMBERS.includes(name));
  return `"${REQUIRED_MEMBERS.join('", "')}" and, optionally, "${optional.join('" and "')}"`;
}

export function checkNewPet(value: object): CheckedPet {
  const result = newPetSchema.safeParse(value);
  return result.success ? { pet: result.data } : { refusal: sentenceOf(bodyProblems(result.error)) };
}

function checkRow(members: object) {
  const result = rowSchema.safeParse(members);
  return result.success ? { row: result.data } : { refusal: sentenceOf(bodyProblems(result.error)), members };
}
