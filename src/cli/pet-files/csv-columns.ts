import { type Target, targetsOf } from "../../pet-files/columns.ts";
import { type Pet, petOperations } from "../../pets/contract.ts";

// The columns of a CSV file are the members of the contract's schemas: a member that is added there is a column here.

export const newPetSchema = petOperations.createPet.body.schema;

const namesWhere = (required: boolean): readonly (keyof typeof newPetSchema.shape)[] =>
  newPetSchema.keyof().options.filter((name) => {
    const isRequired = !newPetSchema.shape[name].safeParse(undefined).success;
    return isRequired === required;
  });

export const REQUIRED_COLUMNS = namesWhere(true);
export const OPTIONAL_COLUMNS = namesWhere(false);

/** What the columns have. A first line that names what is required exactly is read as earlier releases read it. */
export function columnTargets(first: readonly string[]): readonly Target[] {
  if (!REQUIRED_COLUMNS.every((name) => first.includes(name))) return targetsOf(first);
  const names: readonly Target[] = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
  return first.map((heading) => names.find((name) => name === heading) ?? "");
}

export const EXPORTED_COLUMNS: readonly (keyof Pet)[] =
  petOperations.createPet.success.schema.keyof().options;

export function cellsOf(pet: Pet): readonly string[] {
  return EXPORTED_COLUMNS.map((column) => String(pet[column] ?? ""));
}
