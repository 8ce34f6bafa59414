import type { Int64 } from "exact-json/int64";
import { ID_FILTER_MAX } from "../limits.ts";
import type { Pet, PetPatch, PetStatus } from "../pets/contract.ts";
import type { ComparedCounts } from "./compared-counts.ts";
import { concurrently } from "./concurrently.ts";
import { type FindPets, type FoundPet, lookupOf, MATCHES, type MatchBy } from "./look-up.ts";
import type { CheckedPet, Place, Refusal } from "./parse-pets.ts";
import { orderTransfers, type PlannedLine } from "./planned-lines.ts";
import { lostZeros, spoiltNumber } from "./spoilt-numbers.ts";

/** The values in one line of a file. If a member is absent, the animal's value stays as it is; `null` removes the value. */
export interface PetRow {
  readonly id?: Int64 | undefined;
  readonly name?: string | undefined;
  readonly categoryId?: Int64 | undefined;
  readonly status?: PetStatus | null | undefined;
  readonly externalId?: string | null | undefined;
}

export type ParsedRow = ({ readonly row: PetRow } | Refusal) & Place;

export interface Comparison {
  readonly by: MatchBy;
  readonly counts: Readonly<ComparedCounts>;
  /** The lines that add an animal, change an animal, or are refused, in the order in which they can be imported. */
  readonly lines: readonly PlannedLine[];
  /** Identifiers of the first animals that were matched with a line, up to `MATCHED_MAX`. */
  readonly matched: readonly Int64[];
}

interface CompareOptions {
  readonly by: MatchBy;
  readonly find: FindPets;
  /** Checks a new animal in the same way as an import that does not compare its file with the store. */
  readonly checkNew: (members: object) => CheckedPet;
  /**
   * True if a spreadsheet program may have written the file. Empty cells then change nothing, and numbers may lack their leading
   * zeros.
   */
  readonly isSpreadsheet: boolean;
  /** True if a line may change an animal even if both its name and its category differ from the animal's. */
  readonly overwrites: boolean;
  readonly inFlight: number;
  readonly stopping: AbortController;
}

const MATCHED_MAX = 5;

/** Returns the member that can be used to match the lines of a file with animals; undefined if no line has such a member. */
export function matchOf(rows: readonly ParsedRow[]): MatchBy | undefined {
  return MATCHES.find((by) => rows.some((row) => keyOf(row, by) !== undefined));
}

/** Compares the lines of a file with the store, without changing anything. @throws the first error of `find` */
export async function comparePets(rows: readonly ParsedRow[], options: CompareOptions): Promise<Comparison> {
  const { by, find, inFlight, stopping } = options;
  const counts = { new: 0, changed: 0, unchanged: 0, notFound: 0, twice: 0, different: 0, refused: 0 };
  const planned: (PlannedLine | undefined)[] = [];
  const matched: Int64[] = [];
  const linesOf = linesByKey(rows, options);
  async function compare(chunk: readonly (readonly [index: number, row: ParsedRow])[]) {
    const lookup = await lookupOf(
      by,
      chunk.flatMap(([, row]) => keyOf(row, by) ?? []),
      find,
      options.isSpreadsheet,
    );
    for (const [index, row] of chunk) {
      const key = keyOf(row, by);
      const found = key === undefined ? undefined : lookup.found.get(key);
      if (found !== undefined && matched.length < MATCHED_MAX) matched.push(found.id);
      const others = (linesOf.get(seenKeyOf(row, options) ?? "") ?? []).filter((line) => line !== row.line);
      const [kind, line] = judge(row, { ...options, found, others, padded: lookup.padded.get(key ?? "") });
      counts[kind]++;
      planned[index] = line;
    }
  }
  const failure = await concurrently(chunksOf(rows, by), inFlight, stopping, compare);
  if (failure !== undefined) throw failure;
  const { lines, circular } = orderTransfers(planned.filter((line) => line !== undefined));
  counts.changed -= circular;
  counts.refused += circular;
  return { by, counts, matched, lines };
}

interface Match extends CompareOptions {
  readonly found: FoundPet | undefined;
  /** Line numbers of the other lines in the file that have the same `id` or `externalId`. */
  readonly others: readonly number[];
  /** An animal whose `externalId` has more leading zeros than the one in the line, but otherwise equals it. */
  readonly padded: Pet | undefined;
}

type Judgement = readonly [kind: keyof ComparedCounts, line?: PlannedLine];

function judge(parsed: ParsedRow, match: Match): Judgement {
  const { line, lastLine } = parsed;
  const place = { line, lastLine };
  if ("refusal" in parsed) return ["refused", parsed];
  const { by, found, others, padded } = match;
  const row = match.isSpreadsheet ? withoutSpaces(parsed.row, found) : parsed.row;
  const refuse = (kind: keyof ComparedCounts, refusal: string): Judgement => [
    kind,
    { ...place, refusal, members: row, ...(found && { animal: found }) },
  ];
  if (others.length > 0)
    return refuse("twice", `has the same ${by} ${row[by]} as line ${others.slice(0, 3).join(", ")}`);
  if (padded !== undefined) return refuse("refused", lostZeros(row.externalId, padded));
  if (found === undefined && row.id !== undefined) {
    const problem = by === "id" ? "no animal has this id" : "no animal has this externalId";
    return refuse("notFound", `has the id ${row.id}, but ${problem}: remove the id to add a new animal`);
  }
  if (found === undefined) {
    const checked = newPetOf(row, match.checkNew);
    return "pet" in checked ? ["new", { ...place, ...checked }] : ["refused", { ...place, ...checked }];
  }
  const patch = patchOf(row, found, match.isSpreadsheet);
  const spoilt = match.isSpreadsheet ? spoiltNumber(patch, found) : undefined;
  if (spoilt !== undefined) return refuse("refused", spoilt);
  if (by === "id" && "name" in patch && "categoryId" in patch && !match.overwrites)
    return refuse(
      "different",
      `differs from animal ${found.id} in both name and category, so this may be another animal`,
    );
  if (Object.keys(patch).length === 0) return ["unchanged"];
  return ["changed", { ...place, change: { before: found, patch } }];
}

/**
 * Removes the spaces around the `externalId` in a line of a spreadsheet, where nobody sees them. Keeps them if the `externalId`
 * of the animal in the store has the same spaces.
 */
export function withoutSpaces(row: PetRow, found?: Pet): PetRow {
  const { externalId } = row;
  if (typeof externalId !== "string" || externalId === found?.externalId) return row;
  return { ...row, externalId: externalId.trim() };
}

/** Returns the animal to add for a line of the file. It has no identifier. */
export function newPetOf({ id: _, ...members }: PetRow, checkNew: CompareOptions["checkNew"]): CheckedPet {
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return checkNew(Object.fromEntries(given));
}

/** Returns the members whose values differ between the line and the animal in the store, with the values in the line. */
export function patchOf({ id: _, ...members }: PetRow, pet: Pet, isSpreadsheet: boolean): PetPatch {
  const changed = Object.entries(members).filter(
    ([member, value]) =>
      value !== undefined &&
      !(isSpreadsheet && value === "") &&
      !isSame(value, pet[member as keyof typeof members]),
  );
  return Object.fromEntries(changed);
}

/** True if an animal already has all the values of a patch. */
export function isPatched(pet: Pet, patch: PetPatch): boolean {
  return Object.keys(patchOf(patch, pet, false)).length === 0;
}

/** True if two values are equal. They are compared as strings, because the same integer may be a number or a bigint. */
function isSame(value: unknown, stored: unknown): boolean {
  return (value === null ? undefined : String(value)) === (stored === undefined ? undefined : String(stored));
}

function keyOf(parsed: ParsedRow, by: MatchBy): string | undefined {
  if (!("row" in parsed)) return undefined;
  const key = parsed.row[by];
  return key === undefined || key === null || key === "" ? undefined : String(key);
}

/**
 * Returns the `id` or `externalId` in a line, as a person sees it. In a spreadsheet, spaces around it are invisible, so they are
 * removed.
 */
function seenKeyOf(parsed: ParsedRow, { by, isSpreadsheet }: Pick<CompareOptions, "by" | "isSpreadsheet">) {
  const key = keyOf(parsed, by);
  return isSpreadsheet ? key?.trim() : key;
}

function linesByKey(
  rows: readonly ParsedRow[],
  options: Pick<CompareOptions, "by" | "isSpreadsheet">,
): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  for (const row of rows) {
    const key = seenKeyOf(row, options);
    if (key === undefined) continue;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [row.line]);
    else known.push(row.line);
  }
  return lines;
}

const CHARACTERS_MAX = 3_000; // maximum total length of the identifiers in one request, in characters, because they must fit into a URL

function* chunksOf(rows: readonly ParsedRow[], by: MatchBy) {
  let chunk: (readonly [number, ParsedRow])[] = [];
  let [keys, characters] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const key = keyOf(row, by);
    if (key !== undefined) {
      const length = encodeURIComponent(key.toWellFormed()).length + 1;
      if (keys === ID_FILTER_MAX || (keys > 0 && characters + length > CHARACTERS_MAX)) {
        yield chunk;
        chunk = [];
        [keys, characters] = [0, 0];
      }
      keys++;
      characters += length;
    }
    chunk.push([index, row]);
  }
  if (chunk.length > 0) yield chunk;
}
