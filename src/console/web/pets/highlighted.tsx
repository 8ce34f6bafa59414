import type { ComponentChildren } from "preact";
import { nameMatcher } from "../../../pets/words.ts";

/** A name with the beginnings of its words marked that a search has found it by. */
export function highlighted(name: string, words: readonly string[]): ComponentChildren {
  if (words.length === 0) return name;
  return name.split(/([\p{L}\p{N}\p{Mn}]+)/u).map((part, index) => {
    const end = index % 2 === 0 ? 0 : longest(words.map((word) => foundLength(part, word)));
    if (end === 0) return part;
    return (
      <>
        <mark>{part.slice(0, end)}</mark>
        {part.slice(end)}
      </>
    );
  });
}

function longest(lengths: readonly number[]): number {
  return Math.max(0, ...lengths);
}

/** How much of a name's word stands for a searched one, which is folded: `Äpf` for `apf`; 0 for nothing. */
function foundLength(part: string, word: string): number {
  const isFound = nameMatcher([word]);
  if (!isFound(part)) return 0;
  let end = 0;
  for (const letter of part) {
    end += letter.length;
    if (isFound(part.slice(0, end))) break;
  }
  // An accent belongs to its letter.
  return end + (/^\p{Mn}*/u.exec(part.slice(end))?.[0].length ?? 0);
}
