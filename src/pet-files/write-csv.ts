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

/** Writes the header and the lines of an exported file. Importing a line again adds an equal animal with a new identifier. */
export const CSV: FileWriter<Pet> = {
  head: writeCsv(NAMES),
  line: (pet) => writeCsv(NAMES.map((name) => String(pet[name] ?? ""))),
};

// Matches the beginning of a cell that a spreadsheet program would run as a formula. If the program's separator is a semicolon, a
// new cell begins after each semicolon.
const FORMULA = /(^|;)(?=['"\s\p{Cf}]*[=+\-@＝＋－＠])/gu;
const CONTROL = /\p{Cc}|\\(?=u[0-9a-f]{4})/gu;

/**
 * Makes a text safe for spreadsheets: adds `'` in front of a formula, and writes control characters as JSON escapes.
 * `fromSafeText` restores the text.
 */
export function toSafeText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(CONTROL, escaped).replaceAll(FORMULA, "$1'");
}
