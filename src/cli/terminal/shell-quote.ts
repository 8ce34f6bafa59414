/** Puts a word in single quotes, so that a shell does not expand anything in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word that a shell might expand. */
export function pasteable(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : shellQuote(word);
}
