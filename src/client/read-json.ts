import { exactNumber } from "../contract/exact-number.ts";

/**
 * Digits that a double might not hold, or would make a fraction of: many in a row, or a point, an exponent or a negative zero
 * where a number ends. Inside a string it is a false alarm, which only costs the slower way; a time is none.
 */
const INEXACT_NUMBER =
  /[0-9]{16}|(?:-0|[0-9]\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9][eE][+-]?[0-9]+)\s*(?:[,\]}]|$)/;

/**
 * Reads JSON (RFC 8259) without losing a digit, on platforms whose parser does not show the source of a number: an integer
 * that a `number` cannot hold arrives as a `bigint`.
 *
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  return INEXACT_NUMBER.test(text) ? readExactly(text) : JSON.parse(text);
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

/** What is nested deeper would leave the stack no room; nothing of the service's is. */
const DEPTH_MAX = 256;

function readExactly(text: string): unknown {
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }

  /** Whether the next thing is this mark; then it is behind us. */
  function meets(mark: string): boolean {
    take(SPACE);
    const isThere = text[at] === mark;
    if (isThere) at++;
    return isThere;
  }

  function expectMark(mark: string): void {
    if (!meets(mark)) throw new SyntaxError(`Expected ${mark} at ${at}.`);
  }

  /** By hand, because a pattern for it runs out of stack on a long one. */
  function takeString(): string | undefined {
    if (text[at] !== '"') return undefined;
    let end = at;
    do end = text.indexOf('"', end + 1);
    while (end > 0 && isEscaped(text, end));
    if (end < 0) throw new SyntaxError(`The string at ${at} does not end.`);
    const quoted = text.slice(at, end + 1);
    at = end + 1;
    return quoted;
  }

  function value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new SyntaxError(`Nested more than ${DEPTH_MAX} levels deep.`);
    if (meets("{")) return members(depth);
    if (meets("[")) return items(depth);
    const number = take(NUMBER);
    if (number !== undefined) return exactNumber(number);
    // The parser knows what may stand in a string.
    const simple = takeString() ?? take(WORD);
    if (simple === undefined) throw new SyntaxError(`Expected a value at ${at}.`);
    return JSON.parse(simple);
  }

  function items(depth: number): unknown[] {
    const found: unknown[] = [];
    if (meets("]")) return found;
    do found.push(value(depth + 1));
    while (meets(","));
    expectMark("]");
    return found;
  }

  function members(depth: number): object {
    const found: [string, unknown][] = [];
    if (meets("}")) return {};
    do found.push(member(depth));
    while (meets(","));
    expectMark("}");
    // Unlike assignment, this makes `__proto__` a member like any other.
    return Object.fromEntries(found);
  }

  function member(depth: number): [string, unknown] {
    take(SPACE);
    const name = takeString();
    if (name === undefined) throw new SyntaxError(`Expected a member at ${at}.`);
    expectMark(":");
    return [JSON.parse(name), value(depth + 1)];
  }

  const whole = value(1);
  take(SPACE);
  if (at < text.length) throw new SyntaxError(`Expected the end at ${at}.`);
  return whole;
}

/** Whether an odd number of backslashes stands before this place. */
function isEscaped(text: string, place: number): boolean {
  let at = place;
  while (text[at - 1] === "\\") at--;
  return (place - at) % 2 === 1;
}
