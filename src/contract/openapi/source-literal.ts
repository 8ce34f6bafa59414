/** How a programming language writes JSON values. */
interface Notation {
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  /** Follows the digits of an integer beyond 2^53. */
  readonly bigSuffix: string;
  readonly member: (name: string) => string;
  readonly object: (members: string) => string;
}

export const TYPESCRIPT: Notation = {
  none: "null",
  yes: "true",
  no: "false",
  bigSuffix: "n",
  member: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  object: (members) => `{ ${members} }`,
};

export const PYTHON: Notation = {
  none: "None",
  yes: "True",
  no: "False",
  bigSuffix: "",
  member: (name) => JSON.stringify(name),
  object: (members) => `{${members}}`,
};

/** A JSON value as an expression of the language, with every digit. */
export function sourceLiteral(value: unknown, notation: Notation): string {
  if (value === null) return notation.none;
  if (typeof value === "boolean") return value ? notation.yes : notation.no;
  if (typeof value === "bigint") return `${value}${notation.bigSuffix}`;
  if (Array.isArray(value)) return `[${value.map((item) => sourceLiteral(item, notation)).join(", ")}]`;
  // The escapes of a JSON string mean the same in both languages.
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${notation.member(name)}: ${sourceLiteral(member, notation)}`,
  );
  return members.length === 0 ? "{}" : notation.object(members.join(", "));
}
