/** The number of lines of each kind that a comparison with the store has found. */
export interface ComparedCounts {
  new: number;
  changed: number;
  unchanged: number;
  notFound: number;
  twice: number;
  /**
   * The number of lines whose name and category both differ from those of their animal. Such lines may come from another store.
   */
  different: number;
  refused: number;
}

const COUNT_WORDS: Readonly<Record<keyof ComparedCounts, string>> = {
  new: "new",
  changed: "changed",
  unchanged: "unchanged",
  notFound: "not found",
  twice: "twice in the file",
  different: "with another name and category",
  refused: "refused",
};

/** Describes the counts in words: `5 new, 12 changed, 980 unchanged`. Counts of 0 are left out. */
export function countsInWords(counts: ComparedCounts, format: (count: number) => string): string {
  const kinds = (Object.keys(COUNT_WORDS) as (keyof ComparedCounts)[]).filter((kind) => counts[kind] > 0);
  return kinds.map((kind) => `${format(counts[kind])} ${COUNT_WORDS[kind]}`).join(", ");
}
