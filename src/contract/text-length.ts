export const NAME_LENGTH_MAX = 255; // maximum length of the name of an animal or a category, in characters; a longer new name is refused
export const DESCRIPTION_LENGTH_MAX = 1_000; // maximum length of a category's description, in characters; a longer new one is refused

/**
 * Describes the problem of a text that has more than `max` characters (code points, as JSON Schema counts them); undefined if the
 * text is short enough.
 */
export function lengthProblem(text: string, max: number): string | undefined {
  // Most texts need no exact count, because a character has at most two code units.
  if (text.length <= max || (text.length <= 2 * max && [...text].length <= max)) return undefined;
  return `must have at most ${max} characters`;
}
