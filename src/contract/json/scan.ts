import { endOfString } from "exact-json/json-text";

const JSON_DEPTH_MAX = 64; // levels; a deeper body is refused before it is parsed

const QUOTE = 0x22;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/**
 * Why the text is refused before it is parsed, or undefined: nesting past the limit, since the parser recurses; or a member
 * given twice, of which the parser would keep the last (RFC 8259 §4 leaves that open). Syntax is left to the parser.
 */
export function structureFault(text: string): string | undefined {
  /** The names so far in each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return undefined;
      const names = open.at(-1);
      if (names !== undefined && isFollowedByColon(text, end)) {
        const name = memberName(text.slice(at, end));
        if (names.has(name)) return `The member ${JSON.stringify(name)} is given twice.`;
        names.add(name);
      }
      at = end - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      open.push(code === OPENING_BRACE ? new Set() : undefined);
      if (open.length > JSON_DEPTH_MAX) {
        return `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`;
      }
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      open.pop();
    }
  }
  return undefined;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === COLON;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Two spellings of one name (`"a"` and `"\u0061"`) are one name. */
function memberName(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
