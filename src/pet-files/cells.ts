import { parseInt64 } from "exact-json/int64";
import type { Pet, PetStatus } from "../pets/contract.ts";
import { plainText, type Target } from "./columns.ts";

/** Patterns of the words that people and spreadsheets use for each status, reduced to lower-case letters and digits. */
const STATUS_WORDS: Readonly<Record<PetStatus, RegExp>> = {
  available: /^(available|instock|verfue?gbar|vorhanden|frei)$/,
  pending: /^(pending|reserved|reserviert|vorgemerkt|ausstehend)$/,
  sold: /^(sold|verkauft)$/,
};

/**
 * Matches words that mean "no status" in a file that changes animals. In such a file, an empty cell leaves the status unchanged.
 */
const NO_STATUS = /^(none|nostatus|keiner?|ohne(status)?)$/;

/**
 * For each member of an animal, a function that converts the text of a cell to a JSON value. It returns undefined for an empty
 * cell. In an import that may change animals, it returns `null` for a cell with words that mean "no status".
 */
const READERS: Readonly<Record<keyof Pet, (cell: string, isUpdate: boolean) => unknown>> = {
  id: (cell) => parseInt64(cell.trim()) ?? (cell.trim() || undefined),
  name: (cell) => cell,
  // The name of a category stays text for now, and so does a number that a spreadsheet has formatted. The category is looked up
  // later.
  categoryId: (cell) => parseInt64(cell) ?? (cell.trim() || undefined),
  status: (cell, isUpdate) =>
    statusOf(cell) ??
    (NO_STATUS.test(plainText(cell)) ? (isUpdate ? null : undefined) : cell.trim() || undefined),
  // If the import may change animals, spaces around an external identifier are kept, because the identifier in the store may have
  // the same spaces.
  externalId: (cell, isUpdate) => (isUpdate && cell.trim() !== "" ? cell : cell.trim() || undefined),
};

export function statusOf(cell: string): string | undefined {
  // Fast path for most cells: they are empty, or contain a status as the API spells it.
  if (cell === "" || Object.hasOwn(STATUS_WORDS, cell)) return cell || undefined;
  const word = plainText(cell);
  return Object.entries(STATUS_WORDS).find(([, pattern]) => pattern.test(word))?.[0];
}

/** @param isUpdate true if the import may change animals; the result then contains the animal's identifier, too */
export function membersOf(targets: readonly Target[], cells: readonly string[], isUpdate: boolean): object {
  const members: Partial<Record<keyof Pet, unknown>> = {};
  for (const [index, target] of targets.entries()) {
    if (target === "" || (target === "id" && !isUpdate)) continue;
    members[target] = READERS[target](cells[index] ?? "", isUpdate);
  }
  return members;
}

/** Matches a number of more than 11 digits as a spreadsheet shows it: `9.82E+14`. */
const SHORTENED = /^-?\d([.,]\d+)?E[+-]\d\d+$/i;

/**
 * Returns the reason to refuse a record, or undefined. A record is refused if a spreadsheet has shortened the number that
 * identifies the animal.
 */
export function shortenedNumber(targets: readonly Target[], cells: readonly string[]): string | undefined {
  const at = targets.findIndex(
    (target, index) =>
      (target === "id" || target === "externalId") && SHORTENED.test(cells[index]?.trim() ?? ""),
  );
  if (at === -1) return undefined;
  return `has the ${targets[at]} ${cells[at]?.trim()}, a number that the spreadsheet has shortened: format the column as text, and enter the number again`;
}
