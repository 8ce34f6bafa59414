// When a spreadsheet program opens a CSV file, it runs any text that looks like a formula, and converts any text that looks like
// a number or a date: 00123 becomes 123, and 3/4 becomes a day in April. An apostrophe before the text prevents both.

// The patterns allow apostrophes at the beginning. A text that already begins with an apostrophe therefore gets a second one, and
// can be restored exactly.
const BEFORE = String.raw`['"\s\p{Cf}]*`;
const FORMULA = String.raw`${BEFORE}[=+\-@＝＋－＠]`;
// Excel shows numbers of more than 11 digits in a form such as 9.82E+14, and saves them in that form.
const PLAIN_NUMBER = String.raw`(?:0|[1-9]\d{0,10})$`;
// Spreadsheet programs recognize the names of months, and the words for true and false, in the user's language.
const MONTHS =
  "jan(?:uary?)?|j[aä]n(?:ner)?|feb(?:ruary?)?|mar(?:ch)?|märz?|apr(?:il)?|ma[iy]|jun[ei]?|jul[iy]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?";
const DIGIT = String.raw`[.,(\p{Sc}]*\p{Nd}`;
const MONTH_AND_DIGIT = String.raw`(?:${MONTHS})[\s.,/\-]*\p{Nd}`;
const TRUTH_VALUE = "(?:true|false|wahr|falsch)$";
const CONVERTED = `(?!${PLAIN_NUMBER})${BEFORE}(?:${DIGIT}|${MONTH_AND_DIGIT}|${TRUTH_VALUE})`;

// In a program that separates cells by semicolons, each semicolon in a text begins a new cell, which may be a formula.
const UNSAFE = new RegExp(`(^|;)(?=${FORMULA})|^(?=${CONVERTED})`, "giu");
const DEFUSED = new RegExp(`(^|;)'(?=${FORMULA})|^'(?=${CONVERTED})`, "giu");
// A backslash before u and four hexadecimal digits is escaped, too, because the text would otherwise be restored as a control
// character.
const ESCAPED = /\p{Cc}|\\(?=u[0-9a-f]{4})/gu;

/**
 * Makes a text safe for spreadsheet programs: puts `'` before any text that a program would run or convert, and writes control
 * characters as JSON escapes. `fromSafeText` restores the text.
 */
export function toSafeText(text: string): string {
  const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replaceAll(ESCAPED, escapeOf).replaceAll(UNSAFE, "$1'");
}

/**
 * Restores a text that an export has made safe for spreadsheet programs. Call this only for columns whose heading passes
 * `isSafeHeading`.
 */
export function fromSafeText(text: string): string {
  const character = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  return text.replaceAll(DEFUSED, "$1").replaceAll(/\\u([0-9a-f]{4})/g, character);
}
