import type { Pet } from "../pets/contract.ts";

/** Writes a CSV record with its line break, CR LF (RFC 4180 §2). */
export function writeCsv(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

/** Columns of an exported file. A member added to animals does not compile until it is here. */
const COLUMNS: Readonly<Record<keyof Pet, true>> = { id: true, name: true, categoryId: true, status: true };
const NAMES = Object.keys(COLUMNS) as readonly (keyof Pet)[];

export const CSV_HEAD = writeCsv(NAMES);

/** Writes an animal as a CSV line, from which an import reads an equal animal under a new identifier. */
export function csvLine(pet: Pet): string {
  return writeCsv(NAMES.map((name) => String(pet[name] ?? "")));
}
