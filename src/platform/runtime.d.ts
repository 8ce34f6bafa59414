// Functions of the runtime that the compiler's library does not describe yet.

interface JSON {
  /** TC39 "JSON.parse source text access": text that `JSON.stringify` writes as it stands. */
  rawJSON(text: string): object;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
