import type { Int64 } from "exact-json/int64";
import type { Dialect } from "../../../pet-files/dialect.ts";
import { isUnicode } from "../../../pet-files/encoding.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { UnreadableFileError } from "../../../pet-files/read-lines.ts";
import { sampleNames } from "../../../pet-files/sample-names.ts";
import { readDraft } from "../components/draft.ts";
import { LAST_PET } from "../pets/pet-fields.tsx";
import { toPetstoreError } from "../request-error.ts";
import {
  type ChosenFile,
  chosen,
  problem,
  type ReadableFile,
  type RefusedPet,
  stopping,
} from "./import-state.ts";
import { chunksOf, readCategoryNumbers, readDialect, readLayout, readPets } from "./read-pets.ts";

/** Number of lines of a file that are shown, and of refused lines. */
export const SHOWN_MAX = 50;

const PASTED = "Pasted lines";
const NO_VALUES = { categoryId: "", status: "" };

/** Choices that stay the same while a person corrects pasted lines. */
type Choices = Partial<Pick<ReadableFile, "layout" | "categories" | "usual">>;

/** Reads a file, or pasted lines, for the preview. */
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
    return { file, dialect, samples: await readSamples(file, dialect, stop), layout, categories, usual };
  });
}

async function readSamples(file: File, dialect: Dialect, stop: AbortSignal) {
  return isUnicode(dialect.encoding) ? [] : sampleNames(chunksOf(file, stop), dialect);
}

/** Reads the chosen file again in another encoding, or with another separator. */
export function changeDialect(given: Pick<Dialect, "encoding" | "separator">): Promise<void> {
  const file = chosen.peek();
  return preview(async (stop) => {
    if (file === undefined) return undefined;
    const dialect = await readDialect(file.file, stop, given);
    const samples = await readSamples(file.file, dialect, stop);
    return { ...file, dialect, samples, layout: await readLayout(file.file, dialect, file.layout) };
  });
}

/** Reads the chosen file again with other choices. */
export function change(choices: Choices): Promise<void> {
  const file = chosen.peek();
  return preview(async () => file && { ...file, ...choices });
}

async function preview(open: (stop: AbortSignal) => Promise<ReadableFile | undefined>) {
  stopping.peek().abort();
  stopping.value = new AbortController();
  const stop = stopping.value.signal;
  try {
    const file = await open(stop);
    const read = file && (await readLines(file, stop));
    if (stop.aborted) return;
    chosen.value = read;
    problem.value = "";
  } catch (error) {
    if (stop.aborted) return;
    chosen.value = undefined;
    problem.value = sentenceFor(error);
  }
}

async function readLines(file: ReadableFile, stop: AbortSignal): Promise<ChosenFile> {
  const shown: ParsedPet[] = [];
  const refused: RefusedPet[] = [];
  const newCategories = new Map<Int64, string>();
  let [lines, nameless] = [0, 0];
  /** A fraction, because no category can have it as its number. */
  function standIn(name: string) {
    const id = newCategories.size + 0.5;
    newCategories.set(id, name);
    return { id };
  }
  for await (const line of readPets(file, stop, standIn)) {
    if ("refusal" in line) refused.push(line);
    else if (!line.pet.name.trim()) nameless++;
    if (++lines <= SHOWN_MAX || ("refusal" in line && refused.length <= SHOWN_MAX)) shown.push(line);
  }
  if (lines === 0) throw new UnreadableFileError("The file has no animals.");
  return { ...file, lines, shown, refused, nameless, newCategories };
}

export function sentenceFor(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.message;
  if (error instanceof DOMException) return "The browser can't read this file any more. Choose it again.";
  return toPetstoreError(error).message;
}
