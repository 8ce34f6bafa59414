// Every file in decisions/ must have its own number, because decisions are cited by their number.
import type { SourceFile } from "./source.ts";

export function findSharedNumbers(documents: readonly SourceFile[]): readonly string[] {
  const numbers = documents.flatMap(({ path }) => /^decisions\/(\d+)-/.exec(path)?.[1] ?? []);
  return numbers
    .filter((number, index) => numbers.indexOf(number) !== index)
    .map((number) => `Two decisions have the number ${number}.`);
}
