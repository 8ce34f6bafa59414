/** A word in single quotes, in which a shell expands nothing. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The word, quoted if a shell would expand it. */
export function pasteable(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : shellQuote(word);
}
