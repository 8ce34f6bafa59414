/**
 * The words of a text for the search by name, without case, width and accents.
 *
 * @returns distinct words of lower-case letters and digits, decomposed (UAX #15, NFKD)
 */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(folded(text).split(" ").filter(Boolean))];
}

/** Creates a test for names: true if, for each word of the search, the name has a word that begins with it. */
export function nameMatcher(words: readonly string[]): (name: string) => boolean {
  const beginnings = words.map((word) => ` ${word}`);
  return (name) => {
    const text = folded(name);
    return beginnings.every((beginning) => text.includes(beginning));
  };
}

/** All words of a text, lower-case and without accents, each after a space. Up to 18 times the text's length (`ﷺ`). */
export function folded(text: string): string {
  // ASCII, as most names are: ten times faster.
  if (!/[^ -~]/.test(text)) return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ")}`;
  const lower = text
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, "")
    .toLowerCase();
  // Σ has two lower-case forms, chosen by position in a word; one form serves the comparison.
  return ` ${
    lower
      .replaceAll("ς", "σ")
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  }`;
}
