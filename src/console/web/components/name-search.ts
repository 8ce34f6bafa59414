/** The words of a name as the API's `name` filter compares them: without case, width and accents. */
function wordsOf(text: string): readonly string[] {
  const folded = text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** Whether each word of the text is the beginning of a word of the name; a text without words is looked for as it is. */
export function isNamed(name: string, text: string): boolean {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return name.toLowerCase().includes(text.trim().toLowerCase());
  const words = wordsOf(name);
  return wanted.every((begin) => words.some((word) => word.startsWith(begin)));
}
