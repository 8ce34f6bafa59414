/** Puts a word in single quotes, in which a shell expands nothing. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word that a shell might expand. */
export function pasteable(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : shellQuote(word);
}
