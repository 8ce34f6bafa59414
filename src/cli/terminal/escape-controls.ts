/** What would act on a terminal, or change how the text around it is read, without being seen. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text that somebody else chose, fit for a terminal: control characters (C0, C1 and DEL), line separators and marks that
 * turn the writing direction are spelt as JSON would spell them.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(UNSEEN, (character) => SHORT[character] ?? escaped(character));
}

/** JSON that says the same with nothing in it that acts on a terminal; line breaks between its members stay. */
export function escapeControlsInJson(json: string): string {
  return json.replaceAll(UNSEEN, (character) => (character === "\n" ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
