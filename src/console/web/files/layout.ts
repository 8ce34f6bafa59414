import { statusOf } from "../../../pet-files/cells.ts";
import { MEMBERS, REQUIRED_MEMBERS, type Target, targetsOf } from "../../../pet-files/columns.ts";
import type { NewPet } from "../../../pets/contract.ts";

export interface Layout {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** True if the first line has headings; otherwise it is an animal. */
  readonly isHead: boolean;
  readonly targets: readonly Target[];
}

/** Labels of an animal's members for the columns of a file: a new member does not compile until it is here. */
export const LABELS: Readonly<Record<keyof NewPet, string>> = {
  name: "Name",
  categoryId: "Category",
  status: "Status",
};

/** Guesses the columns of a file from its first two records. */
export function guessLayout(first: readonly string[], second: readonly string[] = []): Layout {
  const named = targetsOf(first);
  // A cell with a status cannot be a heading.
  const isHead = first.some((cell, index) => named[index] !== "" && statusOf(cell) === undefined);
  // Without headings, columns are in the order of an export.
  const targets = isHead ? named : first.map((_, index) => MEMBERS[index] ?? "");
  return { first, second, isHead, targets };
}

/** The layout of a file with one column assigned to another member; no member has two columns. */
export function withTarget(layout: Layout, column: number, target: Target): Layout {
  const targets = layout.targets.map((known, index) => {
    if (index === column) return target;
    return known === target ? "" : known;
  });
  return { ...layout, targets };
}

/** Labels of an animal's required members for which a file has no column. */
export function missingFrom({ targets }: Layout): readonly string[] {
  return REQUIRED_MEMBERS.filter((member) => !targets.includes(member)).map((member) => LABELS[member]);
}
