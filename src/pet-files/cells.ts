import { parseInt64 } from "exact-json/int64";
import type { Pet, PetStatus } from "../pets/contract.ts";
import { plainText, type Target } from "./columns.ts";

/** Patterns of the words that people and spreadsheets use for each status, normalized by `plainText`. */
const STATUS_WORDS: Readonly<Record<PetStatus, RegExp>> = {
  available: /^(available|instock|verfue?gbar|vorhanden|frei)$/,
  pending: /^(pending|reserved|reserviert|vorgemerkt|ausstehend)$/,
  sold: /^(sold|verkauft)$/,
};

/** Words for no status in a file that changes animals, where an empty cell leaves the status unchanged. */
const NO_STATUS = /^(none|nostatus|keiner?|ohne(status)?)$/;

/** Functions, by member, that convert a cell's text to the JSON value; undefined for an absent member. */
const READERS: Readonly<Record<keyof Pet, (cell: string) => unknown>> = {
  id: (cell) => parseInt64(cell.trim()) ?? (cell.trim() || undefined),
  name: (cell) => cell,
  // The name of a category, or a number in a spreadsheet's notation, stays a text.
  categoryId: (cell) => parseInt64(cell) ?? (cell.trim() || undefined),
  status: (cell) => statusOf(cell) ?? (NO_STATUS.test(plainText(cell)) ? null : cell.trim() || undefined),
  externalId: (cell) => cell.trim() || undefined,
};

export function statusOf(cell: string): string | undefined {
  // Fast path: most cells.
  if (cell === "" || Object.hasOwn(STATUS_WORDS, cell)) return cell || undefined;
  const word = plainText(cell);
  return Object.entries(STATUS_WORDS).find(([, pattern]) => pattern.test(word))?.[0];
}

/** @param isUpdate true if the animal's identifier, and `null` for no status, are members of the result */
export function membersOf(targets: readonly Target[], cells: readonly string[], isUpdate: boolean): object {
  const members: Partial<Record<keyof Pet, unknown>> = {};
  for (const [index, target] of targets.entries()) {
    if (target === "" || (target === "id" && !isUpdate)) continue;
    const value = READERS[target](cells[index] ?? "");
    members[target] = value === null && !isUpdate ? undefined : value;
  }
  return members;
}

/** A number as a spreadsheet shows one with more than 11 digits: `9.82E+14`. */
const SHORTENED = /^-?\d([.,]\d+)?E[+-]\d\d+$/i;

/** The reason to refuse a record by whose numbers an animal would be found, if a spreadsheet has shortened one of them. */
export function shortenedNumber(targets: readonly Target[], cells: readonly string[]): string | undefined {
  const at = targets.findIndex(
    (target, index) =>
      (target === "id" || target === "externalId") && SHORTENED.test(cells[index]?.trim() ?? ""),
  );
  if (at === -1) return undefined;
  return `has the ${targets[at]} ${cells[at]?.trim()}, of which the spreadsheet has kept only some digits: format the column as text, and enter the number again`;
}

const DEFUSED = /(^|;)'(?=['"\s\p{Cf}]*[=+\-@＝＋－＠])/gu;

/** Restores text from an export for spreadsheets, from a column that `isSafeHeading`. */
export function fromSafeText(text: string): string {
  const character = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  return text.replaceAll(DEFUSED, "$1").replaceAll(/\\u([0-9a-f]{4})/g, character);
}
