/** Puts a word in single quotes, so that a shell does not expand anything in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a word in a form that can be pasted into a shell: quotes the word if the shell might expand anything in it. */
export function pasteable(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : shellQuote(word);
}
