import type { z } from "zod";
import { INT64_MAX, type Int64, parseInt64 } from "../../../client/src/int64.ts";
import { type Pet, petOperations } from "../../pets/contract.ts";

// The columns of a CSV file are the members of the contract's schemas: a member that is added there is a column here.

export const newPetSchema = petOperations.createPet.body.schema;

/** What a cell can hold; a schema with a member of any other type does not compile here. */
type CellValue = string | Int64 | undefined;

const members: Readonly<Record<string, z.ZodType<CellValue>>> = newPetSchema.shape;

const IMPORTED_COLUMNS = Object.entries(members).map(([name, schema]) => ({
  name,
  isRequired: !schema.safeParse(undefined).success,
  isInteger: schema.safeParse(INT64_MAX).success,
}));

const namesWhere = (required: boolean): readonly string[] =>
  IMPORTED_COLUMNS.filter(({ isRequired }) => isRequired === required).map(({ name }) => name);

export const REQUIRED_COLUMNS = namesWhere(true);
export const OPTIONAL_COLUMNS = namesWhere(false);

/** The members of a record as JSON would have them, not checked yet. */
export function membersOf(cellOf: (column: string) => string | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    IMPORTED_COLUMNS.map(({ name, isRequired, isInteger }) => {
      const cell = cellOf(name);
      // Only a required text can be empty; any other empty cell is an absent member.
      if (cell === undefined || (cell === "" && (isInteger || !isRequired))) return [name, undefined];
      return [name, isInteger ? (parseInt64(cell) ?? cell) : cell];
    }),
  );
}

export const EXPORTED_COLUMNS: readonly (keyof Pet)[] =
  petOperations.createPet.success.schema.keyof().options;

export function cellsOf(pet: Pet): readonly string[] {
  return EXPORTED_COLUMNS.map((column) => String(pet[column] ?? ""));
}
