import { type StandInNumber, standInNumber } from "../../../pet-files/categories.ts";
import { comparePets, matchOf } from "../../../pet-files/compare-pets.ts";
import type { Dialect } from "../../../pet-files/dialect.ts";
import { isUnicode } from "../../../pet-files/encoding.ts";
import { type FindPets, MATCHES } from "../../../pet-files/look-up.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { UnreadableFileError } from "../../../pet-files/read-lines.ts";
import { countRepeated } from "../../../pet-files/repeated-pets.ts";
import { sampleNames } from "../../../pet-files/sample-names.ts";
import type { Pet } from "../../../pets/contract.ts";
import { readDraft } from "../components/draft.ts";
import { everyPage } from "../every-page.ts";
import { LAST_PET } from "../pets/pet-fields.tsx";
import { callPage, PATIENT, REQUESTS_MAX, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import {
  type ChosenFile,
  chosen,
  isOutdated,
  problem,
  type ReadableFile,
  type RefusedPet,
  stopping,
} from "./import-state.ts";
import {
  checkNewPet,
  chunksOf,
  readCategoryNumbers,
  readDialect,
  readLayout,
  readPets,
  readRows,
} from "./read-pets.ts";

/**
 * The maximum number of lines that the preview shows from the beginning of the file, and the maximum number of refused lines that
 * it shows.
 */
export const SHOWN_MAX = 50;

const PASTED = "Pasted lines";
const NO_VALUES = { categoryId: "", status: "" };

type Choices = Partial<
  Pick<ReadableFile, "dialect" | "layout" | "categories" | "usual" | "mode" | "overwrites">
>;

/** Reads a file, or pasted lines, and shows the preview. */
export function choose(source: File | string, known?: Choices): Promise<void> {
  const isPasted = typeof source === "string";
  const file = isPasted ? new File([source], PASTED) : source;
  const last = known ?? (isPasted && chosen.peek()?.file.name === PASTED ? chosen.peek() : undefined);
  return preview(async (stop) => {
    const dialect = await readDialect(file, stop);
    const layout = await readLayout(file, dialect, last?.layout);
    const categories = last?.categories ?? (await readCategoryNumbers(stop));
    const usual = last?.usual ?? {
      ...NO_VALUES,
      ...(isPasted && { status: "available", ...readDraft(LAST_PET) }),
    };
    const samples = await readSamples(file, dialect, stop);
    const { mode = "update", overwrites = false } = last ?? {};
    return { file, dialect, samples, layout, categories, usual, mode, overwrites };
  });
}

async function readSamples(file: File, dialect: Dialect, stop: AbortSignal) {
  return isUnicode(dialect.encoding) ? [] : sampleNames(chunksOf(file, stop), dialect);
}

/** Reads the chosen file again with the encoding and separator that the person has chosen. The choice counts as confirmed. */
export async function changeDialect(given: Pick<Dialect, "encoding" | "separator">): Promise<void> {
  const file = chosen.peek();
  if (file !== undefined) await changeChoices({ dialect: { ...file.dialect, ...given, isSure: true } });
}

/**
 * Reads the chosen file again with other choices. The page shows the new choices immediately. Choices from earlier calls are
 * kept.
 */
export async function changeChoices(choices: Choices): Promise<void> {
  const file = chosen.peek();
  if (file === undefined) return;
  const changed = { ...file, ...choices };
  chosen.value = changed;
  await preview(async (stop) => {
    const { isSure, ...given } = changed.dialect;
    const dialect = { ...(await readDialect(changed.file, stop, given)), isSure };
    const layout = await readLayout(changed.file, dialect, changed.layout);
    return { ...changed, dialect, layout, samples: await readSamples(changed.file, dialect, stop) };
  });
}

async function preview(open: (stop: AbortSignal) => Promise<ReadableFile>) {
  stopping.peek().abort();
  stopping.value = new AbortController();
  const stop = stopping.value.signal;
  isOutdated.value = true;
  try {
    const read = await readLines(await open(stop), stop);
    if (stop.aborted) return;
    chosen.value = read;
    problem.value = "";
    isOutdated.value = false;
    await showRepeats(read, stop);
  } catch (error) {
    if (stop.aborted) return;
    chosen.value = undefined;
    problem.value = sentenceFor(error);
    isOutdated.value = false;
  }
}

/**
 * Counts the lines of a file that may repeat animals which are already in the store. The page shows the preview of the file while
 * this runs.
 */
async function showRepeats(file: ChosenFile, stop: AbortSignal) {
  if (file.comparison !== undefined || file.file.name === PASTED) return;
  const parsed = readPets(file, stop, () => ({ refusal: "" }));
  const repeats = await countRepeated(parsed, everyPage<Pet>("/pets", {}, stop));
  if (!stop.aborted && chosen.peek() === file) chosen.value = { ...file, repeats };
}

async function readLines(file: ReadableFile, stop: AbortSignal): Promise<ChosenFile> {
  const newCategories = new Map<StandInNumber, string>();
  function standIn(name: string) {
    const id = standInNumber(newCategories.size);
    newCategories.set(id, name);
    return { id };
  }
  const compared = await compareWithStore(file, stop, standIn);
  const { comparison } = compared;
  const adds =
    comparison?.lines.flatMap((line) => ("change" in line ? [] : [line])) ?? readPets(file, stop, standIn);
  const { lines, ...parts } = await sortLines(adds);
  if (lines === 0 && comparison === undefined)
    throw new UnreadableFileError(
      "The file has no animals. Add a line for each animal, and choose the file again.",
    );
  return { ...file, ...parts, ...compared, lines: compared.lines ?? lines, newCategories };
}

/** Returns the lines that the preview shows: the first lines, and the first refused lines. */
async function sortLines(parsed: Iterable<ParsedPet> | AsyncIterable<ParsedPet>) {
  const shown: ParsedPet[] = [];
  const refused: RefusedPet[] = [];
  let [lines, nameless] = [0, 0];
  for await (const line of parsed) {
    if ("refusal" in line) refused.push(line);
    else if (!line.pet.name.trim()) nameless++;
    if (++lines <= SHOWN_MAX || ("refusal" in line && refused.length <= SHOWN_MAX)) shown.push(line);
  }
  return { shown, refused, lines, nameless };
}

type Compared = Pick<ChosenFile, "comparison" | "canUpdate"> & { readonly lines?: number };

/**
 * Compares the lines of a file with the animals in the store. Returns no comparison if none of the file's animals is in the
 * store, or if the person wants to add copies.
 */
async function compareWithStore(
  file: ReadableFile,
  stop: AbortSignal,
  standIn: (name: string) => { readonly id: StandInNumber },
): Promise<Compared> {
  const { layout, dialect, mode, usual, overwrites } = file;
  const none = { comparison: undefined, canUpdate: false };
  if (layout && !MATCHES.some((by) => layout.targets.includes(by))) return none;
  if (mode === "copies") return { ...none, canUpdate: true };
  const rows = await Array.fromAsync(readRows(file, stop, standIn));
  const by = matchOf(rows);
  if (by === undefined) return none;
  // The comparison has a separate controller, which it aborts if it fails. Aborting `stop` would end the whole preview, and the
  // error would not be shown.
  const stopping = new AbortController();
  stop.addEventListener("abort", () => stopping.abort());
  const comparison = await comparePets(rows, {
    ...{ by, find: findPets, overwrites, stopping, inFlight: REQUESTS_MAX },
    isSpreadsheet: dialect.format === "csv",
    checkNew: (members) => checkNewPet(members, usual),
  });
  // If no animal has one of the file's identifiers, the file is probably from another store, and this store has not assigned
  // these identifiers yet.
  if (by === "id" && comparison.matched.length === 0) return none;
  return { comparison, canUpdate: true, lines: rows.length };
}

/** Finds animals through the console's API. Each animal includes its entity tag. */
export const findPets: FindPets = async (by, keys) => {
  const query = { [by]: keys.join() };
  return (await callPage<Versioned<Pet>>("/pets", { ...PATIENT, query })).items;
};

export function sentenceFor(error: unknown): string {
  return error instanceof UnreadableFileError ? error.message : toPetstoreError(error).message;
}
