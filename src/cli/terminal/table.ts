import { isColourless } from "../../config/environment.ts";
import { escapeControls } from "./escape-controls.ts";
import { printPart } from "./output.ts";

/**
 * A cell of a table: its text, and its colour on a terminal. Control characters in the text are escaped when the cell is printed.
 */
export type Cell = string | { readonly text: string; readonly colour: Colour };

/** Colours as parameters of "Select Graphic Rendition" (ECMA-48 §8.3.117). */
const COLOURS = { bold: 1, faint: 2, green: 32, yellow: 33 } as const;
export type Colour = keyof typeof COLOURS;

/** Prints a table while its rows arrive. On a narrow terminal, the widest columns are shortened, so that no line wraps. */
export function startTable(headings: readonly string[]): { add(rows: readonly (readonly Cell[])[]): void } {
  const widths = headings.map(() => 0);
  const paint = painter();
  let lines: readonly (readonly Cell[])[] = [headings.map((text) => ({ text, colour: "bold" as const }))];
  return {
    add(rows) {
      lines = [...lines, ...rows];
      for (const line of lines) {
        for (const [column, cell] of line.entries())
          widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(shown(cell)));
      }
      const available = (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
      const fitted = fitInto(available, widths);
      printPart(lines.map((line) => `${rowOf(line, fitted, paint)}\n`).join(""));
      lines = [];
    },
  };
}

const GAP = "  ";
const ELLIPSIS = "…";
/**
 * Minimum width of all columns except the first. The first column, which contains the identifier, is shortened only after the
 * others have been shortened to this width.
 */
const SHORTEST = 4;

/**
 * Returns column widths that fit into a line. The widest columns are shortened to a common width; the first column is shortened
 * last.
 */
function fitInto(available: number, widths: readonly number[]): readonly number[] {
  const [first = 0, ...others] = widths;
  const room = available - GAP.length * others.length;
  let limit = widestWithin(others, room - first);
  if (limit < SHORTEST) limit = Math.min(SHORTEST, widestWithin(others, room - Math.min(first, SHORTEST)));
  const cut = others.map((width) => Math.min(width, Math.max(1, limit)));
  return [Math.max(1, Math.min(first, room - sum(cut))), ...cut];
}

/** Returns the largest maximum width per column at which all columns together fit into the available space. */
function widestWithin(widths: readonly number[], room: number): number {
  let limit = Math.max(0, ...widths);
  while (limit > 0 && sum(widths.map((width) => Math.min(width, limit))) > room) limit--;
  return limit;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

type Paint = (text: string, colour: Colour) => string;

function rowOf(line: readonly Cell[], widths: readonly number[], paint: Paint): string {
  return line
    .map((cell, column) => {
      const width = widths[column] ?? 0;
      const text = shorten(shown(cell), width);
      const isLast = column === line.length - 1;
      const padding = isLast ? "" : " ".repeat(width - Bun.stringWidth(text));
      return (typeof cell === "string" || text === "" ? text : paint(text, cell.colour)) + padding;
    })
    .join(GAP)
    .trimEnd();
}

const graphemes = new Intl.Segmenter();

/**
 * Shortens a string to a width. Bun.sliceAnsi (1.4.5) is not used: if only half of a wide character fits at the end, it includes
 * the character anyway.
 */
function shorten(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (Bun.stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}

function shown(cell: Cell): string {
  return escapeControls(typeof cell === "string" ? cell : cell.text);
}

/**
 * Returns a function that colours text on a terminal. It returns the text unchanged if `NO_COLOR` is set (no-color.org) or the
 * terminal has no colours.
 */
function painter(): Paint {
  if (!process.stdout.isTTY || isColourless()) return (text) => text;
  return (text, colour) => `\x1b[${COLOURS[colour]}m${text}\x1b[0m`;
}
