import { JSON_DEPTH_MAX } from "../../limits.ts";

interface Scan {
  /** Why the text is refused: too deep, or a member given twice. Syntax is left to the parser. */
  readonly fault?: string;
  /** Some number may not survive as a double: it is long, or has a fraction or an exponent. */
  readonly needsExactNumbers: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** Any digits that a double might not hold, wherever they stand: a false alarm only costs the slower parse. */
const INEXACT_NUMBER = /[0-9]{16}|[0-9][.eE]|-0/;

/**
 * One pass over JSON text, before the parser sees it: depth is bounded, since the parser recurses, and a member
 * given twice is found, since the parser keeps only the last (RFC 8259 §4 leaves that open; we refuse it).
 */
export function scanJson(text: string): Scan {
  /** The names met so far in each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names !== undefined && isFollowedByColon(text, end)) {
        const name = memberName(text.slice(at, end));
        if (names.has(name)) return refused(`The member ${JSON.stringify(name)} is given twice.`);
        names.add(name);
      }
      at = end - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      open.push(code === OPENING_BRACE ? new Set() : undefined);
      if (open.length > JSON_DEPTH_MAX) {
        return refused(`The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
      }
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      open.pop();
    }
  }
  return { needsExactNumbers: INEXACT_NUMBER.test(text) };
}

function refused(fault: string): Scan {
  return { fault, needsExactNumbers: false };
}

/** The place after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
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
