import { exactNumber, mayBeInexact } from "exact-json/exact-number";
import { endOfString } from "exact-json/json-text";

const JSON_DEPTH_MAX = 64; // maximum depth of nesting in a body; a body with deeper nesting is refused before it is parsed
const QUOTE = 0x22;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** Thrown if the service does not accept its input as JSON. The message gives the reason, and is sent to the client. */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON (RFC 8259), and keeps all digits of integers. An integer that a `number` cannot represent exactly becomes a
 * `bigint`. `1.0` and `1e3` become the integers 1 and 1000.
 *
 * @throws JsonError if the bytes are not UTF-8 or the JSON is invalid, has a duplicate member, or is nested too deeply
 */
export function readJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonError("The body is not valid UTF-8.");
  }
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  const fault = structureFault(text);
  if (fault !== undefined) throw new JsonError(fault);
  try {
    return mayBeInexact(text) ? JSON.parse(text, withExactNumber) : JSON.parse(text);
  } catch {
    throw new JsonError("The body is not valid JSON.");
  }
}

/** Writes JSON. A `bigint` keeps all its digits, and members that are undefined are left out. */
export function writeJson(value: unknown, indent?: number): string {
  try {
    // `JSON.stringify` needs a replacer function to write a `bigint`, but this function makes it five times slower. JSON is
    // therefore first written without a replacer.
    return JSON.stringify(value, undefined, indent);
  } catch {
    return JSON.stringify(value, digitsOfBigint, indent);
  }
}

/**
 * Maximum length, in characters, of a value that stays on one line. If every value were split into lines, a third of a document
 * would be spaces.
 */
const LINE_MAX = 320;

/** Writes JSON with line breaks and one space of indentation for each level; a short value stays on one line. */
export function layOutJson(value: unknown, indent = "\n"): string {
  const line = writeJson(value);
  if (typeof value !== "object" || value === null || line.length <= LINE_MAX) return line;
  const deeper = `${indent} `;
  const layOut = (inner: unknown) => layOutJson(inner, deeper);
  if (Array.isArray(value)) return `[${deeper}${value.map(layOut).join(`,${deeper}`)}${indent}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const lines = members.map(([name, member]) => `${JSON.stringify(name)}: ${layOut(member)}`);
  return `{${deeper}${lines.join(`,${deeper}`)}${indent}}`;
}

function digitsOfBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;
}

function withExactNumber(_name: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === "number" && context.source !== undefined ? exactNumber(context.source) : value;
}

/**
 * Returns the reason to refuse JSON before it is parsed, or undefined. JSON is refused if it is nested too deeply for a recursive
 * parser, or has duplicate members. RFC 8259 §4 does not define the meaning of duplicate members, and the parser would silently use
 * the last one.
 */
function structureFault(text: string): string | undefined {
  /**
   * The objects and arrays that are still open, from the outermost to the innermost. An object is represented by the names of its
   * members so far, and an array by undefined.
   */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return undefined;
      const names = open.at(-1);
      if (names !== undefined && isFollowedByColon(text, end)) {
        const name = memberName(text.slice(at, end));
        if (names.has(name))
          return `The JSON contains the member ${JSON.stringify(name)} twice in one object.`;
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

const COLON = /[ \t\n\r]*:/y;

function isFollowedByColon(text: string, from: number): boolean {
  COLON.lastIndex = from;
  return COLON.test(text);
}

/** Decodes the name of a JSON member, because `"a"` and `"\u0061"` are duplicates. */
function memberName(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
