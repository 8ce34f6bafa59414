/**
 * Letters that cannot be reduced to a simple letter by removing accents, each with the ASCII letters that people type in its
 * place.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ı: "i",
  // The Greek letter Σ has two lower-case forms: σ, and ς at the end of a word. Both count as σ.
  ς: "σ",
};

/** Scripts that are written without spaces: Han, kana, Hangul and Thai (UAX #24). */
const RUN = "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}]";
const HAS_RUN = new RegExp(RUN, "u");
/** Matches a sequence of letters of a script that has no spaces, or a word in any other script. */
const WORDS = new RegExp(`(?:(?=${RUN})[\\p{L}\\p{N}])+|(?:(?!${RUN})[\\p{L}\\p{N}])+`, "gu");

/**
 * Splits a text into words for the search by name, ignoring case, width and accents. A text without any letter or digit, such as
 * an emoji, is treated as one word.
 *
 * @returns the different words, in lower case and decomposed (UAX #15, NFKD); empty for a blank text
 */
export function wordsOf(text: string): readonly string[] {
  const words = [...new Set(folded(text).split(" ").filter(Boolean))];
  const signs =
    words.length > 0
      ? ""
      : plain(text)
          .replace(/\p{Cc}+/gu, " ")
          .trim();
  return signs === "" ? words : [signs];
}

/**
 * Creates a function that tests whether a name matches the words of a search. Each word of the search must be the beginning of a
 * word in the name. In Han, kana, Hangul and Thai, which do not separate words, it may be anywhere in the name. If the search
 * consists only of symbols, the name must contain these symbols.
 */
export function nameMatcher(words: readonly string[]): (name: string) => boolean {
  const [first = ""] = words;
  if (first !== "" && !/[\p{L}\p{N}]/u.test(first)) return (name) => plain(name).includes(first);
  const beginnings = words.map((word) => (HAS_RUN.test(word) ? word : ` ${word}`));
  return (name) => {
    const text = folded(name);
    return beginnings.every((beginning) => text.includes(beginning));
  };
}

/**
 * Returns all words of a text, in lower case and without accents, with a space before each word. The result may be up to 18 times
 * as long as the text, for example if the text is `ﷺ`.
 */
export function folded(text: string): string {
  // Most names are ASCII. For them, this shortcut is ten times faster.
  if (!/[^ -~]/.test(text)) return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ")}`;
  const lower = plain(text);
  return ` ${lower.match(HAS_RUN.test(lower) ? WORDS : /[\p{L}\p{N}]+/gu)?.join(" ") ?? ""}`;
}

/** Returns a text in lower case and without accents. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, "")
    .toLowerCase()
    .replace(/[ßæœþøłđðıς]/g, (letter) => LETTERS[letter] ?? letter);
}
