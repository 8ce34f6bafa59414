import type { Int64 } from "exact-json/int64";
import type { Pet, PetPatch } from "../pets/contract.ts";
import { isStandIn } from "./categories.ts";

// A spreadsheet program changes long numbers, and removes leading zeros, even in cells that nobody has edited. A cell that was
// changed in this way must not change an animal.

/**
 * Number of digits that a spreadsheet keeps exactly in a number. A cell with more digits and with leading zeros stays text, so
 * its zeros survive.
 */
export const DIGITS_MAX = 15;

/** Returns the reason to refuse a change if a spreadsheet has spoilt one of its numbers; otherwise undefined. */
export function spoiltNumber({ externalId, categoryId }: PetPatch, pet: Pet): string | undefined {
  if (typeof externalId === "string" && isShorter(externalId, pet)) return lostZeros(externalId, pet);
  return categoryId !== undefined && isRounded(categoryId, pet.categoryId)
    ? `has the category ${categoryId}, but animal ${pet.id} has ${pet.categoryId}: a spreadsheet has shortened this number to ${DIGITS_MAX} digits. Format the column as text, and enter the number again`
    : undefined;
}

export function lostZeros(externalId: unknown, { id, externalId: stored }: Pet): string {
  return `has the externalId ${externalId}, but animal ${id} has ${stored}: a spreadsheet has removed the zeros at the beginning. Format the column as text, and enter the number again`;
}

/** True if a number equals the animal's `externalId` without its leading zeros. */
function isShorter(externalId: string, { externalId: stored }: Pet): boolean {
  return /^[1-9]\d*$/.test(externalId) && stored?.replace(/^0+/, "") === externalId;
}

/** True if a number equals the stored number, except that it has zeros in place of the digits that a spreadsheet cannot keep. */
function isRounded(given: Int64, stored: Int64): boolean {
  if (isStandIn(given)) return false;
  const digits = String(stored).replace("-", "").length;
  const unit = 10n ** BigInt(Math.max(0, digits - DIGITS_MAX));
  const difference = BigInt(given) - BigInt(stored);
  return BigInt(given) % unit === 0n && difference < unit && -difference < unit;
}
