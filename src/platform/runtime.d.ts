// Functions of the runtime that TypeScript's library does not declare yet.

interface JSON {
  /** Wraps a text that `JSON.stringify` will write unchanged (TC39 "JSON.parse source text access"). */
  rawJSON(text: string): object;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
