import { nameMatcher, wordsOf } from "../../../pets/words.ts";

export interface HighlightedProps {
  readonly text: string;
  readonly search: string;
}

export function Highlighted({ text, search }: HighlightedProps) {
  const words = wordsOf(search);
  if (words.length === 0) return <>{text}</>;
  return (
    <>
      {text.split(/([\p{L}\p{N}\p{Mn}]+)/u).map((part) => {
        const [start, end] = words.map((word) => foundIn(part, word)).reduce(longer);
        return (
          <>
            {part.slice(0, start)}
            {end > start && <mark>{part.slice(start, end)}</mark>}
            {part.slice(end)}
          </>
        );
      })}
    </>
  );
}

type Range = readonly [start: number, end: number];

function longer(one: Range, other: Range): Range {
  return other[1] - other[0] > one[1] - one[0] ? other : one;
}

/**
 * Returns the range of letters, in part of a name, that match one word of the search. Accents and case do not matter: `Äpf` matches
 * `apf`. The range is empty if the word does not match.
 */
function foundIn(part: string, word: string): Range {
  const isFound = nameMatcher([word]);
  if (!isFound(part)) return [0, 0];
  let end = 1;
  while (!isFound(part.slice(0, end))) end++;
  let start = 0;
  while (start + 1 < end && isFound(part.slice(start + 1, end))) start++;
  // Combining accents that follow the range belong to its last letter.
  return [start, end + (/^\p{Mn}*/u.exec(part.slice(end))?.[0].length ?? 0)];
}
