import type { NewPet } from "../../../pet-files/new-pet.ts";

/** The member that a column has; empty for a column that is ignored. */
export type Target = keyof NewPet | "";

/** The columns of a CSV file: what its first line says, and what each column has. */
export interface Layout {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Whether the first line names the columns; otherwise it is an animal. */
  readonly isHead: boolean;
  readonly targets: readonly Target[];
}

interface TargetInWords {
  readonly label: string;
  readonly isRequired: boolean;
  /** The headings that stand for it, in lower case. */
  readonly headings: RegExp;
}

/** Every member has one: a new member does not compile until it is here. In the order of a file without headings. */
export const TARGETS: Readonly<Record<keyof NewPet, TargetInWords>> = {
  name: { label: "Name", isRequired: true, headings: /^(name|animal)$/ },
  categoryId: { label: "Category", isRequired: true, headings: /^category[ _]?(id|number|name)?$/ },
  status: { label: "Status", isRequired: false, headings: /^(status|availability)$/ },
};

const MEMBERS = Object.keys(TARGETS) as readonly (keyof NewPet)[];

/** What the columns of a file are likely to have, from its first two records. */
export function guessLayout(first: readonly string[], second: readonly string[] = []): Layout {
  const named = first.map((cell) => {
    const heading = cell.trim().toLowerCase();
    return MEMBERS.find((member) => TARGETS[member].headings.test(heading)) ?? "";
  });
  const isHead = named.some((target) => target !== "");
  const targets = isHead
    ? named.map((target, index) => (named.indexOf(target) === index ? target : ""))
    : first.map((_, index) => MEMBERS[index] ?? "");
  return { first, second, isHead, targets };
}

/** The same with another target for one column; a target stands once. */
export function withTarget(layout: Layout, column: number, target: Target): Layout {
  const targets = layout.targets.map((known, index) => {
    if (index === column) return target;
    return known === target ? "" : known;
  });
  return { ...layout, targets };
}

/** The labels of the members that no column has, and every animal needs. */
export function missingFrom({ targets }: Layout): readonly string[] {
  return MEMBERS.filter((member) => TARGETS[member].isRequired && !targets.includes(member)).map(
    (member) => TARGETS[member].label,
  );
}

/** The members of a record; an empty cell is an absent member, but for a name. */
export function membersOf({ targets }: Layout, cells: readonly string[]): object {
  const members = targets.map((target, index) => {
    const cell = cells[index] ?? "";
    if (target === "name") return [target, cell];
    const text = cell.trim();
    return [target, (target === "status" ? text.toLowerCase() : text) || undefined];
  });
  return Object.fromEntries(members.filter(([target]) => target !== ""));
}
