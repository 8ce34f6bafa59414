/** Invisible characters that control a terminal or change the direction of the surrounding text. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Replaces control characters (C0, C1, DEL), line separators and bidirectional marks with JSON escapes. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (character) => SHORT[character] ?? escaped(character));
}

/** Escapes control characters in JSON for a terminal. The JSON keeps its value and its line breaks. */
export function escapeControlsInJson(json: string): string {
  return json.replaceAll(CONTROLS, (character) => (character === "\n" ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
