import { parseInt64 } from "exact-json/int64";
import type { NewPet, PetStatus } from "../pets/contract.ts";
import { plainText, type Target } from "./columns.ts";

/** Patterns of the words that people and spreadsheets use for each status, normalized by `plainText`. */
const STATUS_WORDS: Readonly<Record<PetStatus, RegExp>> = {
  available: /^(available|instock|verfue?gbar|vorhanden|frei)$/,
  pending: /^(pending|reserved|reserviert|vorgemerkt|ausstehend)$/,
  sold: /^(sold|verkauft)$/,
};

/** Functions, by member, that convert a cell's text to the JSON value; undefined for an absent member. */
const READERS: Readonly<Record<keyof NewPet, (cell: string) => unknown>> = {
  name: (cell) => cell,
  // The name of a category, or a number in a spreadsheet's notation, stays a text.
  categoryId: (cell) => parseInt64(cell) ?? (cell.trim() || undefined),
  status: (cell) => statusOf(cell) ?? (cell.trim() || undefined),
  externalId: (cell) => cell.trim() || undefined,
};

export function statusOf(cell: string): string | undefined {
  // Fast path: most cells.
  if (cell === "" || Object.hasOwn(STATUS_WORDS, cell)) return cell || undefined;
  const word = plainText(cell);
  return Object.entries(STATUS_WORDS).find(([, pattern]) => pattern.test(word))?.[0];
}

export function membersOf(targets: readonly Target[], cells: readonly string[]): object {
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  for (const [index, target] of targets.entries())
    if (target !== "") members[target] = READERS[target](cells[index] ?? "");
  return members;
}

const DEFUSED = /(^|;)'(?=['"\s\p{Cf}]*[=+\-@＝＋－＠])/gu;

/** Restores text from an export for spreadsheets, from a column that `isSafeHeading`. */
export function fromSafeText(text: string): string {
  const character = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  return text.replaceAll(DEFUSED, "$1").replaceAll(/\\u([0-9a-f]{4})/g, character);
}
