export const NAME_LENGTH_MAX = 255; // characters of an animal's or a category's name; a longer new one is refused
export const DESCRIPTION_LENGTH_MAX = 1_000; // characters of a category's description; a longer new one is refused

/** The problem of a text with more than `max` characters (code points, as JSON Schema counts); undefined if it has none. */
export function lengthProblem(text: string, max: number): string | undefined {
  // A shortcut: a character has at most two code units, so most texts need not be counted.
  if (text.length <= max || (text.length <= 2 * max && [...text].length <= max)) return undefined;
  return `must have at most ${max} characters`;
}
