// Length limits of documents; decision numbers are unique.
import type { SourceFile } from "./source.ts";

const DECISION_WORDS_MAX = 1200;
/** Words of the documents that a pattern matches, all together. */
const WORDS_MAX: readonly (readonly [title: string, documents: RegExp, max: number])[] = [
  ["ARCHITECTURE.md", /^ARCHITECTURE\.md$/, 6_000],
  ["README.md", /^README\.md$/, 2700],
  ["client/README.md", /^client\/README\.md$/, 2400],
  ["The guides", /^(docs\/guides\/.*|client\/README)\.md$/, 36_000],
  ["docs/", /^docs\//, 45_000],
];
/** Per entry of CHANGELOG.md. */
const RELEASE_LINES_MAX = 60;

export function findLengthFaults(documents: readonly SourceFile[]): readonly string[] {
  const totals = WORDS_MAX.flatMap(([title, pattern, max]) => {
    const texts = documents.filter(({ path }) => pattern.test(path)).map(({ text }) => text);
    return tooManyWords(title, texts.join("\n"), max);
  });
  return [...totals, ...documents.flatMap(faultsOf), ...sharedNumbers(documents)];
}

function faultsOf({ path, text }: SourceFile): readonly string[] {
  if (path.startsWith("decisions/")) return tooManyWords(path, text, DECISION_WORDS_MAX);
  if (path !== "CHANGELOG.md") return [];
  return text
    .split(/^(?=## )/m)
    .map((entry) => entry.trimEnd().split("\n"))
    .filter((lines) => lines.length > RELEASE_LINES_MAX)
    .map(([heading]) => `${path}: "${heading}" has more than ${RELEASE_LINES_MAX} lines.`);
}

function tooManyWords(title: string, text: string, max: number): readonly string[] {
  const { length } = text.match(/\S+/g) ?? [];
  return length > max ? [`${title}: ${length} words, at most ${max}.`] : [];
}

function sharedNumbers(documents: readonly SourceFile[]): readonly string[] {
  const numbers = documents.flatMap(({ path }) => /^decisions\/(\d+)-/.exec(path)?.[1] ?? []);
  return numbers
    .filter((number, index) => numbers.indexOf(number) !== index)
    .map((number) => `Two decisions have the number ${number}.`);
}
