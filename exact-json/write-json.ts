/**
 * Writes JSON as `JSON.stringify` does, and also writes a `bigint`, with all its digits.
 *
 * @throws TypeError for `NaN`, infinities, and a `number` that is an integer of 2^53 or more, because it may have been rounded
 */
export function writeJson(value: unknown): string {
  return write(value) ?? "null";
}

/** Returns undefined for a value that JSON cannot represent, such as a function. */
function write(value: unknown): string | undefined {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      return writeNumber(value);
    case "object":
      return writeObject(value);
    default:
      return JSON.stringify(value);
  }
}

function writeNumber(value: number): string {
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (isExact) return JSON.stringify(value);
  throw new TypeError(`${value} is not an exact number: use a bigint for integers beyond 2^53.`);
}

function writeObject(value: object | null): string | undefined {
  if (value === null) return "null";
  if ("toJSON" in value && typeof value.toJSON === "function") return write(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const written = write(member);
    return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
  });
  return `{${members.join(",")}}`;
}
