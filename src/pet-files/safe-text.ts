/** Heading of names that are safe in a spreadsheet: an import restores names below it alone. */
export const SAFE_NAME = "name (safe)";

// A spreadsheet runs a cell that begins so as a formula. Where it separates by semicolons, a cell also begins after one.
const { source: START } = /(?=['"\s\p{Cf}]*[=+\-@＝＋－＠])/u;
const FORMULA = new RegExp(`(^|;)${START}`, "gu");
const DEFUSED = new RegExp(`(^|;)'${START}`, "gu");
const CONTROL = /\p{Cc}|\\(?=u[0-9a-f]{4})/gu;

/** Converts text for a spreadsheet: `'` before formulas, JSON escapes for control characters. */
export function toSafeText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(CONTROL, escaped).replaceAll(FORMULA, "$1'");
}

/** Restores the text that `toSafeText` was given. */
export function fromSafeText(text: string): string {
  const character = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  return text.replaceAll(DEFUSED, "$1").replaceAll(/\\u([0-9a-f]{4})/g, character);
}
