// Length limits of documents that are read whole; decision numbers are unique.
import type { SourceFile } from "./source.ts";

const ARCHITECTURE_WORDS_MAX = 2_000;
const DECISION_WORDS_MAX = 400;
/** Per entry of CHANGELOG.md. */
const RELEASE_LINES_MAX = 60;

export function findLengthFaults(documents: readonly SourceFile[]): readonly string[] {
  return [...documents.flatMap(faultsOf), ...sharedNumbers(documents)];
}

function faultsOf({ path, text }: SourceFile): readonly string[] {
  if (path === "ARCHITECTURE.md") return tooManyWords(path, text, ARCHITECTURE_WORDS_MAX);
  if (path.startsWith("decisions/")) return tooManyWords(path, text, DECISION_WORDS_MAX);
  if (path !== "CHANGELOG.md") return [];
  return text
    .split(/^(?=## )/m)
    .map((entry) => entry.trimEnd().split("\n"))
    .filter((lines) => lines.length > RELEASE_LINES_MAX)
    .map(([heading]) => `${path}: "${heading}" has more than ${RELEASE_LINES_MAX} lines.`);
}

function tooManyWords(path: string, text: string, max: number): readonly string[] {
  const { length } = text.match(/\S+/g) ?? [];
  return length > max ? [`${path} has ${length} words, at most ${max}.`] : [];
}

function sharedNumbers(documents: readonly SourceFile[]): readonly string[] {
  const numbers = documents.flatMap(({ path }) => /^decisions\/(\d+)-/.exec(path)?.[1] ?? []);
  return numbers
    .filter((number, index) => numbers.indexOf(number) !== index)
    .map((number) => `Two decisions have the number ${number}.`);
}
