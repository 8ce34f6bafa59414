import { statusOf } from "../../../pet-files/cells.ts";
import { MEMBERS, REQUIRED_MEMBERS, type Target, targetsOf } from "../../../pet-files/columns.ts";
import type { NewPet } from "../../../pet-files/new-pet.ts";

/** The columns of a CSV file: what its first line says, and what each column has. */
export interface Layout {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Whether the first line names the columns; otherwise it is an animal. */
  readonly isHead: boolean;
  readonly targets: readonly Target[];
}

/** Every member has one: a new member does not compile until it is here. */
export const LABELS: Readonly<Record<keyof NewPet, string>> = {
  name: "Name",
  categoryId: "Category",
  status: "Status",
};

/** Guesses the columns of a file from its first two records. */
export function guessLayout(first: readonly string[], second: readonly string[] = []): Layout {
  const named = targetsOf(first);
  // A cell that is a status cannot be a heading.
  const isHead = first.some((cell, index) => named[index] !== "" && statusOf(cell) === undefined);
  // Without headings they are in the order of an export.
  const targets = isHead ? named : first.map((_, index) => MEMBERS[index] ?? "");
  return { first, second, isHead, targets };
}

/** Layout with another target for one column; a target stands once. */
export function withTarget(layout: Layout, column: number, target: Target): Layout {
  const targets = layout.targets.map((known, index) => {
    if (index === column) return target;
    return known === target ? "" : known;
  });
  return { ...layout, targets };
}

/** The labels of the members that no column has, and every animal needs. */
export function missingFrom({ targets }: Layout): readonly string[] {
  return REQUIRED_MEMBERS.filter((member) => !targets.includes(member)).map((member) => LABELS[member]);
}
