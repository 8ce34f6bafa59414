import { parseInt64 } from "exact-json/int64";
import type { PetStatus } from "../pets/contract.ts";
import { plainText, type Target } from "./columns.ts";
import type { NewPet } from "./new-pet.ts";

/** How people and their spreadsheets call a status, as `plainText` has it. */
const STATUS_WORDS: Readonly<Record<PetStatus, RegExp>> = {
  available: /^(available|instock|verfue?gbar|vorhanden|frei)$/,
  pending: /^(pending|reserved|reserviert|vorgemerkt|ausstehend)$/,
  sold: /^(sold|verkauft)$/,
};

/** The text of a cell as JSON would have it; undefined for an absent member. */
const READERS: Readonly<Record<keyof NewPet, (cell: string) => unknown>> = {
  name: (cell) => cell,
  // A name of a category, or a number that only a spreadsheet writes so, stays text.
  categoryId: (cell) => parseInt64(cell) ?? (cell.trim() || undefined),
  status: (cell) => statusOf(cell) ?? (cell.trim() || undefined),
};

export function statusOf(cell: string): string | undefined {
  // Most cells, without a search.
  if (cell === "" || Object.hasOwn(STATUS_WORDS, cell)) return cell || undefined;
  const word = plainText(cell);
  return Object.entries(STATUS_WORDS).find(([, pattern]) => pattern.test(word))?.[0];
}

/** The members of a record, not checked yet. */
export function membersOf(targets: readonly Target[], cells: readonly string[]): object {
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  for (const [index, target] of targets.entries())
    if (target !== "") members[target] = READERS[target](cells[index] ?? "");
  return members;
}
