import { statusOf } from "../../../pet-files/cells.ts";
import { MEMBERS, type Target, targetsOf } from "../../../pet-files/columns.ts";
import type { Pet } from "../../../pets/contract.ts";

export interface Layout {
  readonly first: readonly string[];
  /** True if the first line contains headings; false if it contains an animal. */
  readonly isHead: boolean;
  readonly targets: readonly Target[];
}

/**
 * The label of each member of an animal, for the columns of a file. If a member is added to `Pet`, the program does not compile
 * until the member is listed here.
 */
export const LABELS: Readonly<Record<keyof Pet, string>> = {
  id: "ID",
  name: "Name",
  categoryId: "Category",
  status: "Status",
  externalId: "Own number",
};

/** Guesses, from the first records of a file, which member of an animal each column contains. */
export function guessLayout(records: readonly (readonly string[])[]): Layout {
  const [first = []] = records;
  const named = targetsOf(first);
  // A cell that contains a status cannot be a heading.
  const isHead = first.some((cell, index) => named[index] !== "" && statusOf(cell) === undefined);
  if (isHead) return { first, isHead, targets: named };
  // A file without headings is assumed to have the same order of columns as an export. Its longest record is assumed to contain
  // all columns.
  const width = Math.max(...records.map(({ length }) => length));
  const cells = Array.from({ length: width }, (_, index) => first[index] ?? "");
  return { first: cells, isHead, targets: cells.map((_, index) => MEMBERS[index] ?? "") };
}
