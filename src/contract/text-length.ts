export const NAME_LENGTH_MAX = 255; // maximum length, in characters, of the name of an animal or a category; a new name that is longer is refused
export const DESCRIPTION_LENGTH_MAX = 1_000; // maximum length, in characters, of a category's description; a new description that is longer is refused

/**
 * Returns an error message if the text is longer than `max` characters (code points, as in JSON Schema), otherwise undefined. The
 * message is worded to follow the member's name.
 */
export function lengthProblem(text: string, max: number): string | undefined {
  // Most strings need not be counted exactly, because a character has one or two code units.
  if (text.length <= max || (text.length <= 2 * max && [...text].length <= max)) return undefined;
  return `must have at most ${max} characters`;
}
