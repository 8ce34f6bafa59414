/** Name of the draft: the lines that are not added yet. */
export const PASTED = "pasted-pets";

/** Lines as they were pasted, by their number. */
export type PastedLines = Readonly<Record<string, string>>;

/** The lines of a text, without blank ones; undefined where it is a name alone. */
export function linesOf(text: string): PastedLines | undefined {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 && !lines[0]?.includes("\t")) return undefined;
  return Object.fromEntries(lines.map((line, index) => [index + 1, line]));
}
