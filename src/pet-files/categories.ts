import { type Int64, parseInt64 } from "exact-json/int64";

/**
 * The numbers of categories, keyed by the category's name (trimmed, and in lower case). Several categories may have the same name.
 */
export type CategoryNumbers = ReadonlyMap<string, readonly Int64[]>;

declare const isNew: unique symbol;

/**
 * Stands for the number of a category that does not exist until the import creates it. It is a fraction, so it never equals the
 * number of a category.
 */
export type StandInNumber = number & { readonly [isNew]: true };

/** @param count the number of stand-in numbers that the import has already created */
export function standInNumber(count: number): StandInNumber {
  return (count + 0.5) as StandInNumber;
}

export function isStandIn(categoryId: Int64): categoryId is StandInNumber {
  return typeof categoryId === "number" && !Number.isInteger(categoryId);
}

interface Category {
  readonly id: Int64;
  readonly name: string;
}

export async function categoryNumbers(pages: AsyncIterable<readonly Category[]>): Promise<CategoryNumbers> {
  const categories: Category[] = [];
  for await (const page of pages) categories.push(...page);
  const numbers = new Map<string, Int64[]>();
  for (const { id, name } of categories)
    numbers.set(categoryKey(name), [...(numbers.get(categoryKey(name)) ?? []), id]);
  return numbers;
}

export function categoryKey(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * The number of a category, or the reason why a cell is refused. `missing` is the name in the cell if no category has that name.
 */
export type Resolved = { readonly id: Int64 } | { readonly refusal: string; readonly missing?: string };

/**
 * Reads a category number in any form that a spreadsheet may write. Returns a refusal for an unusable number, and undefined if the
 * cell does not contain a number.
 */
export function readNumber(text: string): Resolved | undefined {
  if (!/^[-+]?\d[\d.,'’\s]*(E[-+]?\d+)?$/iu.test(text)) return undefined;
  if (/e/i.test(text))
    return {
      refusal: `has the category ${text}, a number that the spreadsheet has shortened to 15 digits: format the column as text, and enter the number again`,
    };
  if (/^[-+]?\d{1,3}[.,]\d{3}$/.test(text))
    return {
      refusal: `has the category ${text}, which means ${text.replace(/[.,].*/, "")} in some countries and ${text.replace(/[.,]/, "")} in others: write the number without the separator`,
    };
  const digits = withoutSeparators(text);
  const id = digits === undefined ? undefined : parseInt64(digits);
  return id === undefined ? { refusal: "categoryId must be a 64-bit integer." } : { id };
}

/**
 * Removes thousands separators (`1.234.567`, `1'234`, `1 234`) and a fraction that consists of zeros (`1,0`). Returns undefined for
 * a malformed number.
 */
function withoutSeparators(text: string): string | undefined {
  const [, whole = "", thousands] = /^(-?\d{1,3}(?:([.,'’\s])\d{3})+|-?\d+)(?:[.,]0+)?$/u.exec(text) ?? [];
  if (whole === "") return undefined;
  if (thousands === undefined) return whole;
  const parts = whole.split(thousands);
  return parts.every((part) => /^-?\d+$/.test(part)) ? parts.join("") : undefined;
}

/**
 * Returns the numbers of all categories with the given name. If the name is itself a number, returns this number, even if no
 * category has it.
 */
function categoriesCalled(text: string, numbers: CategoryNumbers): readonly Int64[] {
  const plain = parseInt64(text.trim());
  return plain === undefined ? (numbers.get(categoryKey(text)) ?? []) : [plain];
}

export function resolveCategory(text: string, numbers: CategoryNumbers): Resolved {
  const [id, ...others] = categoriesCalled(text, numbers);
  if (id === undefined)
    return (
      readNumber(text) ?? {
        refusal: `names the category "${text}", which does not exist: add the category first, or give the identifier of a category`,
        missing: text.trim(),
      }
    );
  return others.length === 0
    ? { id }
    : {
        refusal: `names the category "${text}", but several categories have this name: give the identifier of the category`,
      };
}
