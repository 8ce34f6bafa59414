/**
 * Returns true if a text contains nothing but spaces, control characters and accents. The service refuses to search for such a
 * text.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Mn}]/u.test(text.normalize("NFKD"));
}
