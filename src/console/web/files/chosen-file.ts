import type { RefusedLine } from "../../../pet-files/import-pets.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { UnreadableFileError } from "../../../pet-files/read-lines.ts";
import { toPetstoreError } from "../request-error.ts";
import { type ChosenFile, chosen, problem, reading } from "./import-state.ts";
import { type Layout, missingFrom } from "./layout.ts";
import { readCategoryNumbers, readDialect, readLayout, readPets } from "./read-pets.ts";

const PREVIEWED = 5;

function stopReading(): AbortSignal {
  reading.peek().abort();
  const aborter = new AbortController();
  reading.value = aborter;
  problem.value = "";
  return aborter.signal;
}

export function chooseFile(file: File): Promise<void> {
  const stop = stopReading();
  return untilStopped(stop, async () => {
    const dialect = await readDialect(file, stop);
    const layout = await readLayout(file, dialect);
    const categories = await readCategoryNumbers(stop);
    return read({ file, dialect, layout, categories }, stop);
  });
}

export function changeLayout(layout: Layout): Promise<void> {
  const file = chosen.peek();
  const stop = stopReading();
  return untilStopped(stop, async () => file && read({ ...file, layout }, stop));
}

async function untilStopped(stop: AbortSignal, read: () => Promise<ChosenFile | undefined>) {
  try {
    const file = await read();
    if (!stop.aborted) chosen.value = file;
  } catch (error) {
    if (stop.aborted) return;
    problem.value = sentenceFor(error);
    chosen.value = undefined;
  }
}

async function read(
  file: Pick<ChosenFile, "file" | "dialect" | "layout" | "categories">,
  stop: AbortSignal,
): Promise<ChosenFile> {
  const first: ParsedPet[] = [];
  const refused: RefusedLine[] = [];
  let lines = 0;
  const isReadable = file.layout === undefined || missingFrom(file.layout).length === 0;
  if (isReadable) {
    for await (const line of readPets(file, stop)) {
      lines++;
      if (first.length < PREVIEWED) first.push(line);
      if ("refusal" in line) refused.push({ line: line.line, lastLine: line.lastLine, reason: line.refusal });
    }
    if (lines === 0) throw new UnreadableFileError("There are no animals in it.");
  }
  return { ...file, lines, first, refused };
}

export function sentenceFor(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.message;
  if (error instanceof DOMException) return "The browser cannot read this file any more. Choose it again.";
  return toPetstoreError(error).message;
}
