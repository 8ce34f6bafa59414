import type { SearchEntry } from "../search-entry.ts";

/** Scores of an entry whose heading equals the query, and of each word by where it is, or begins a word. */
const EXACT = 100;
const TITLE_WORD = 8;
const TITLE = 6;
const SYNONYM = 5;
const TEXT = 1;

/** Words of a query that an entry need not have. */
const ARTICLES = ["a", "an", "the"];

/** Prepares the search: a function from a query to the entries that have every word of it, best first. */
export function createRanking(entries: readonly SearchEntry[]): (query: string) => readonly SearchEntry[] {
  const places = entries.map((entry) => {
    const [, anchor = ""] = entry.href.split("#");
    return {
      entry,
      label: spaced(entry.label),
      // An operation is also found by its name, as one word and as several: `createPet`, `create pet`.
      title: spaced(`${entry.label} ${anchor} ${anchor.replaceAll(/[A-Z]/g, " $&")}`),
      synonyms: spaced(entry.synonyms ?? ""),
      text: spaced(entry.text),
    };
  });

  return (query) => {
    const wanted = spaced(query);
    const words = wanted.split(" ").filter((word) => word !== "" && !ARTICLES.includes(word));
    if (words.length === 0) return entries;
    const scoreOf = ({ label, title, synonyms, text }: (typeof places)[number]) => {
      if (label === wanted) return EXACT;
      const scores = words.map((word): number => {
        if (title.includes(` ${word} `)) return TITLE_WORD;
        if (title.includes(` ${word}`)) return TITLE;
        if (synonyms.includes(` ${word}`)) return SYNONYM;
        return text.includes(` ${word}`) ? TEXT : 0;
      });
      return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
    };
    return places
      .map((place) => ({ entry: place.entry, score: scoreOf(place) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
  };
}

/** The words of a text in lower case, a space around each. */
function spaced(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
}
