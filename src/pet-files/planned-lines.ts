import type { NewPet, Pet, PetPatch } from "../pets/contract.ts";
import type { FoundPet } from "./look-up.ts";
import type { Place, Refusal } from "./parse-pets.ts";

export interface PetChange {
  readonly before: FoundPet;
  readonly patch: PetPatch;
}

/**
 * A line of a file, and what an import will do: add an animal, change an animal, or refuse the line.
 *
 * @property after the line number of the line that must be imported before this one
 */
export type PlannedLine = Place & { readonly after?: number } & (
    | { readonly pet: NewPet }
    | { readonly change: PetChange }
    | (Refusal & { readonly animal?: Pet })
  );

interface Transfers {
  readonly lines: readonly PlannedLine[];
  /** The number of lines that are refused, because they exchange their `externalId` values in a circle. */
  readonly circular: number;
}

/**
 * Sorts the lines of an import so that an animal can take the `externalId` of another animal in the same file: a line that takes
 * an `externalId` comes after the line that frees it. All other lines keep their order. Lines that exchange their `externalId`
 * values in a circle are refused, because two animals can never have the same `externalId`.
 */
export function orderTransfers(lines: readonly PlannedLine[]): Transfers {
  const freeing = new Map(lines.flatMap((line) => freedBy(line).map((freed) => [freed, line])));
  const giverOf = (line: PlannedLine) => freeing.get(takenBy(line) ?? "");
  const ordered = new Map<PlannedLine, PlannedLine>();
  let circular = 0;
  for (const line of lines) {
    const path = new Set<PlannedLine>();
    let next: PlannedLine | undefined = line;
    for (; next !== undefined && !ordered.has(next) && !path.has(next); next = giverOf(next)) path.add(next);
    const steps = [...path];
    // If the path has returned to one of its own lines, the lines from there on form a circle.
    const circle = next !== undefined && path.has(next) ? steps.indexOf(next) : steps.length;
    circular += steps.length - circle;
    for (const [index, step] of [...steps.entries()].toReversed()) {
      const giver = giverOf(step);
      if (giver === undefined) ordered.set(step, step);
      else ordered.set(step, index < circle ? { ...step, after: giver.line } : refused(step, giver));
    }
  }
  return { lines: [...ordered.values()], circular };
}

/** Returns the `externalId` that the animal of a line gives up, in an array. The array is empty if there is none. */
export function freedBy(planned: PlannedLine): readonly string[] {
  if (!("change" in planned && "externalId" in planned.change.patch)) return [];
  const { externalId } = planned.change.before;
  return externalId === undefined ? [] : [externalId];
}

function takenBy(planned: PlannedLine): string | null | undefined {
  if ("pet" in planned) return planned.pet.externalId;
  return "change" in planned ? planned.change.patch.externalId : undefined;
}

function refused({ line, lastLine, ...planned }: PlannedLine, giver: PlannedLine): PlannedLine {
  const { before, patch } = "change" in planned ? planned.change : {};
  const refusal = `takes the externalId ${patch?.externalId} from line ${giver.line}, but these lines exchange their numbers in a circle: remove the externalId of one of their animals, and import the file again`;
  return { line, lastLine, refusal, members: { ...before, ...patch }, ...(before && { animal: before }) };
}
