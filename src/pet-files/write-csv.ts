import type { Pet } from "../pets/contract.ts";

/** Writes a CSV record with its line break, CR LF (RFC 4180 §2). */
export function writeCsv(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

export interface FileWriter<Item> {
  readonly head: string;
  line(item: Item): string;
}

/** The columns of an exported file. If a member is added to animals, the program does not compile until it is listed here. */
const COLUMNS: Readonly<Record<keyof Pet, true>> = {
  id: true,
  name: true,
  categoryId: true,
  status: true,
  externalId: true,
};
const NAMES = Object.keys(COLUMNS) as readonly (keyof Pet)[];

/**
 * Writes the header and the lines of an exported file. If a line is imported again, an equal animal with a new identifier is
 * added.
 */
export const CSV: FileWriter<Pet> = {
  head: writeCsv(NAMES),
  line: (pet) => writeCsv(NAMES.map((name) => String(pet[name] ?? ""))),
};
