import MiniSearch from "minisearch";
import type { SearchEntry } from "../search-entry.ts";

/**
 * The weight of a match in each part of an entry. A match counts less if a word of the query is only the beginning of the found
 * word, or merely resembles it.
 */
const BOOST = { title: 8, synonyms: 4, text: 1 };
const WEIGHTS = { prefix: 0.5, fuzzy: 0.1 };
/**
 * Factors that make better matches weigh more. EXACT applies if the heading of an entry equals the query. PHRASE applies if the
 * synonyms of an entry contain several words of the query in a row.
 */
const EXACT = 100;
const PHRASE = 5;

/** Words that an entry need not contain, even if they are in the query. */
const ARTICLES = ["a", "an", "the"];

/**
 * Prepares the search. The returned function takes a query, and returns the entries that contain all words of the query, with the
 * best match first.
 */
export function createRanking(entries: readonly SearchEntry[]): (query: string) => readonly SearchEntry[] {
  const index = new MiniSearch<{ id: number }>({
    fields: Object.keys(BOOST),
    tokenize: wordsOf,
    searchOptions: {
      boost: BOOST,
      weights: WEIGHTS,
      combineWith: "AND",
      prefix: true,
      // Allows one typing error in a word of five letters, and two errors in a word of ten.
      fuzzy: (word) => (word.length < 5 ? false : 0.2),
    },
  });
  index.addAll(
    entries.map(({ label, href, synonyms = "", text }, id) => {
      const [, anchor = ""] = href.split("#");
      // People can find an operation by its name as one word or as several words: `createPet` or `create pet`.
      return { id, title: `${label} ${anchor} ${anchor.replaceAll(/[A-Z]/g, " $&")}`, synonyms, text };
    }),
  );
  const phrases = entries.map(({ label, synonyms = "" }) => ({
    label: wordsOf(label).join(" "),
    synonyms: ` ${wordsOf(synonyms).join(" ")} `,
  }));

  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return entries;
    const wanted = words.join(" ");
    const boostDocument = (id: number) => {
      if (phrases[id]?.label === wanted) return EXACT;
      return words.length > 1 && phrases[id]?.synonyms.includes(` ${wanted} `) ? PHRASE : 1;
    };
    return index.search(query, { boostDocument }).flatMap(({ id }) => entries[id] ?? []);
  };
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !ARTICLES.includes(word));
}
