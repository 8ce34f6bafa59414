/**
 * Returns true for a text that contains no words, letters or symbols, but at most spaces, control characters and accents. The
 * service refuses to search for such a text.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Mn}]/u.test(text.normalize("NFKD"));
}
