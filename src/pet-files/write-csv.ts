import type { Pet } from "../pets/contract.ts";

/** Writes a CSV record with its line break, CR LF (RFC 4180 §2). */
export function writeCsv(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

export interface FileWriter<Item> {
  readonly head: string;
  line(item: Item): string;
}

/** Columns of an exported file. A member added to animals does not compile until it is here. */
const COLUMNS: Readonly<Record<keyof Pet, true>> = {
  id: true,
  name: true,
  categoryId: true,
  status: true,
  externalId: true,
};
const NAMES = Object.keys(COLUMNS) as readonly (keyof Pet)[];

/** Header and lines of an exported file; an import reads an equal animal from a line, under a new identifier. */
export const CSV: FileWriter<Pet> = {
  head: writeCsv(NAMES),
  line: (pet) => writeCsv(NAMES.map((name) => String(pet[name] ?? ""))),
};

// A spreadsheet runs a cell that begins like this as a formula. If its separator is a semicolon, a cell begins after each one.
const FORMULA = /(^|;)(?=['"\s\p{Cf}]*[=+\-@＝＋－＠])/gu;
const CONTROL = /\p{Cc}|\\(?=u[0-9a-f]{4})/gu;

/** Converts text for a spreadsheet: `'` before formulas, JSON escapes for control characters; `fromSafeText` restores it. */
export function toSafeText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(CONTROL, escaped).replaceAll(FORMULA, "$1'");
}
