import { exactNumber } from "./exact-number.ts";
import { type JsonText, scanText } from "./json-text.ts";

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

/** What is nested deeper would leave the stack no room; nothing of the service's is. */
const DEPTH_MAX = 256;

function readExactly(text: string): unknown {
  const json = scanText(text);
  const whole = readValue(json, 1);
  json.expectEnd();
  return whole;
}

function readValue(json: JsonText, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new SyntaxError(`Nested more than ${DEPTH_MAX} levels deep.`);
  if (json.meets("{")) return readMembers(json, depth);
  if (json.meets("[")) return readItems(json, depth);
  const number = json.takeNumber();
  if (number !== undefined) return exactNumber(number);
  // The parser knows what may stand in a string.
  const simple = json.takeString() ?? json.takeWord();
  if (simple === undefined) throw json.fault("a value");
  return JSON.parse(simple);
}

function readItems(json: JsonText, depth: number): unknown[] {
  const found: unknown[] = [];
  if (json.meets("]")) return found;
  do found.push(readValue(json, depth + 1));
  while (json.meets(","));
  json.expectMark("]");
  return found;
}

function readMembers(json: JsonText, depth: number): object {
  const found: [string, unknown][] = [];
  if (json.meets("}")) return {};
  do found.push(readMember(json, depth));
  while (json.meets(","));
  json.expectMark("}");
  // Unlike assignment, this makes `__proto__` a member like any other.
  return Object.fromEntries(found);
}

function readMember(json: JsonText, depth: number): [string, unknown] {
  const name = json.takeString();
  if (name === undefined) throw json.fault("a member");
  json.expectMark(":");
  return [JSON.parse(name), readValue(json, depth + 1)];
}
