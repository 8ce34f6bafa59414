/** Name of the draft with the lines that have not been added yet. */
export const PASTED = "pasted-pets";

export type PastedLines = Readonly<Record<string, string>>;

/** The non-blank lines of a text; undefined for a single name. */
export function linesOf(text: string): PastedLines | undefined {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 && !lines[0]?.includes("\t")) return undefined;
  return Object.fromEntries(lines.map((line, index) => [index + 1, line]));
}
