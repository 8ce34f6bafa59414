import { parseInt64 } from "exact-json/int64";
import { type Client, etagOf } from "../../../client/src/client.ts";
import type { CallOptions } from "../../../client/src/options.ts";
import { ConfigError } from "../../config/settings.ts";
import {
  type Comparison,
  comparePets,
  matchOf,
  newPetOf,
  type ParsedRow,
  withoutSpaces,
} from "../../pet-files/compare-pets.ts";
import { countsInWords } from "../../pet-files/compared-counts.ts";
import { patiently } from "../../pet-files/import-pets.ts";
import type { FindPets, MatchBy } from "../../pet-files/look-up.ts";
import type { PlannedLine } from "../../pet-files/planned-lines.ts";
import { checkNewPet } from "../pet-files/check-pets.ts";
import { formatCount } from "../pet-files/report.ts";

const COMPARISONS_IN_FLIGHT_MAX = 4;

/** Options that decide what an import does with animals that are already in the store. */
export interface PlanOptions {
  readonly update?: true;
  readonly by?: MatchBy;
  readonly overwrite?: true;
}

interface PlanInput {
  readonly title: string;
  readonly rows: readonly ParsedRow[];
  readonly isSpreadsheet: boolean;
  readonly find: FindPets;
  readonly stopping: AbortController;
}

interface Plan {
  readonly lines: readonly PlannedLine[];
  /** The comparison with the store; undefined if no line contains a value that can be used to find an animal. */
  readonly comparison: Comparison | undefined;
}

/**
 * Compares a file with the store, and decides for each line whether it adds an animal, changes an animal, or is refused. Changes
 * nothing yet.
 *
 * @throws ConfigError if some animals in the file are already in the store, so that the user has to choose an option
 */
export async function planImport(input: PlanInput, options: PlanOptions): Promise<Plan> {
  const { title, rows, isSpreadsheet, find, stopping } = input;
  const found = matchOf(rows);
  const by = options.by ?? found;
  if (by === undefined || found === undefined) {
    if (options.update) throw new ConfigError(noMatch(title, rows));
    return { lines: rows.map(asNew(isSpreadsheet)), comparison: undefined };
  }
  const comparison = await comparePets(rows, {
    ...{ by, find, checkNew: checkNewPet, isSpreadsheet, stopping },
    overwrites: options.overwrite ?? false,
    inFlight: COMPARISONS_IN_FLIGHT_MAX,
  });
  if (options.update || stopping.signal.aborted) return { lines: comparison.lines, comparison };
  // If the store has none of the identifiers in the file, the file comes from another store, such as a backup. All of its animals
  // are then new to this store.
  if (by === "id" && comparison.matched.length === 0)
    return { lines: rows.map(asNew(isSpreadsheet)), comparison: undefined };
  if (by === "id" || comparison.counts.changed > 0) throw new ConfigError(choice(title, comparison));
  return { lines: comparison.lines, comparison };
}

function noMatch(title: string, rows: readonly ParsedRow[]): string {
  const refused = rows.find((row) => "refusal" in row);
  if (refused === undefined)
    return `No line of ${title} has an "id" or an "externalId". Import the file without --update.`;
  return `No line of ${title} has a valid "id" or "externalId". Line ${refused.line}: ${refused.refusal}`;
}

function asNew(isSpreadsheet: boolean) {
  return (parsed: ParsedRow): PlannedLine => {
    if ("refusal" in parsed) return parsed;
    const { line, lastLine, row } = parsed;
    return { line, lastLine, ...newPetOf(isSpreadsheet ? withoutSpaces(row) : row, checkNewPet) };
  };
}

function choice(title: string, comparison: Comparison): string {
  const { by, matched, counts } = comparison;
  const { changed, unchanged, different } = counts;
  const more = changed + unchanged + different > matched.length ? ", …" : "";
  const copies = by === "id" ? ", or --copies to add every line as another animal" : "";
  return [
    `Some animals in ${title} are already in the store: ${matched.join(", ")}${more} (${countsInWords(counts, formatCount)}).`,
    `Nothing was sent. Add --update to change these animals${copies}. To see what would change, add --update and --dry-run.`,
  ].join(" ");
}

/**
 * Returns a function that finds animals through the client. If it looks for a single animal, the result includes the animal's
 * entity tag.
 */
export function petFinder({ pets }: Client, signal: AbortSignal, call: CallOptions): FindPets {
  return async (by, keys) => {
    if (by === "externalId")
      return patiently(signal, async () => await pets.list({ externalIds: keys }, call));
    const ids = keys.flatMap((key) => parseInt64(key) ?? []);
    const found = await patiently(signal, async () => await pets.list({ ids }, call));
    const [only] = found;
    return ids.length === 1 && only !== undefined ? [{ ...only, etag: etagOf(only) }] : found;
  };
}
