export const NAME_LENGTH_MAX = 255; // maximum length of the name of an animal or a category, in characters; a longer new name is refused
export const DESCRIPTION_LENGTH_MAX = 1_000; // maximum length of a category's description, in characters; a longer new one is refused

/** The problem of a text with more than `max` characters (code points, as JSON Schema counts); undefined if it has none. */
export function lengthProblem(text: string, max: number): string | undefined {
  // A shortcut: a character has at most two code units, so most texts need not be counted.
  if (text.length <= max || (text.length <= 2 * max && [...text].length <= max)) return undefined;
  return `must have at most ${max} characters`;
}
