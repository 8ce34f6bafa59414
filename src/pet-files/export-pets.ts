import type { Pet } from "../pets/contract.ts";
import { writeCsv } from "./write-csv.ts";

/** The columns of an exported file. A member that is added to an animal does not compile until it is here. */
const COLUMNS: Readonly<Record<keyof Pet, true>> = { id: true, name: true, categoryId: true, status: true };
const NAMES = Object.keys(COLUMNS) as readonly (keyof Pet)[];

export const CSV_HEAD = writeCsv(NAMES);

/** An animal as a line of a CSV file. An import reads the same animal from it, under a new identifier. */
export function csvLine(pet: Pet): string {
  return writeCsv(NAMES.map((name) => String(pet[name] ?? "")));
}
