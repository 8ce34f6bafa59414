/** A word in single quotes, in which a shell expands nothing. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
