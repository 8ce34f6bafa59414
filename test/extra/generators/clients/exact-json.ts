// Reads and writes JSON for generated API clients, and keeps all 64 bits of integers. Reading uses the source text that JSON.parse
// passes to its reviver, and throws on a runtime without that feature. TypeScript does not declare the feature yet.

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};

export function readExact(text: string): unknown {
  return parse(text, (_name, value, { source = "" }) => {
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
    return isRounded ? BigInt(source) : value;
  });
}

export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === "bigint" ? rawJSON(String(member)) : member,
  );
}
