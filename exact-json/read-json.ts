import { exactNumber, mayBeInexact } from "./exact-number.ts";
import { type JsonText, scanText } from "./json-text.ts";

/**
 * Parses JSON (RFC 8259), and keeps all digits of integers, even in a runtime whose `JSON.parse` does not give access to the
 * source text of a number. An integer that a `number` cannot represent becomes a `bigint`.
 *
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  return mayBeInexact(text) ? readExactly(text) : JSON.parse(text);
}

/**
 * The maximum depth of nested values. The depth is limited because the reader is recursive. The service's responses have at most
 * 3 levels.
 */
const DEPTH_MAX = 256;

function readExactly(text: string): unknown {
  const json = scanText(text);
  const whole = readValue(json, 1);
  json.expectEnd();
  return whole;
}

function readValue(json: JsonText, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new SyntaxError(`Nested more than ${DEPTH_MAX} levels deep.`);
  if (json.takeMark("{")) return readMembers(json, depth);
  if (json.takeMark("[")) return readItems(json, depth);
  const number = json.takeNumber();
  if (number !== undefined) return exactNumber(number);
  // Leaves it to `JSON.parse` to decode the escapes of strings, and to refuse control characters.
  const simple = json.takeString() ?? json.takeWord();
  if (simple === undefined) throw json.fault("a value");
  return JSON.parse(simple);
}

function readItems(json: JsonText, depth: number): unknown[] {
  const found: unknown[] = [];
  if (json.takeMark("]")) return found;
  do found.push(readValue(json, depth + 1));
  while (json.takeMark(","));
  json.expectMark("]");
  return found;
}

function readMembers(json: JsonText, depth: number): object {
  const found: [string, unknown][] = [];
  if (json.takeMark("}")) return {};
  do found.push(readMember(json, depth));
  while (json.takeMark(","));
  json.expectMark("}");
  // `Object.fromEntries` makes `__proto__` an ordinary member. An assignment to it would set the object's prototype.
  return Object.fromEntries(found);
}

function readMember(json: JsonText, depth: number): [string, unknown] {
  const name = json.takeString();
  if (name === undefined) throw json.fault("a member");
  json.expectMark(":");
  return [JSON.parse(name), readValue(json, depth + 1)];
}
