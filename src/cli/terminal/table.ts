import { isColourless } from "../../config.ts";
import { escapeControls } from "./escape-controls.ts";
import { printPart } from "./output.ts";

/** Text, printed with escaped control characters, and its colour on a terminal. */
export type Cell = string | { readonly text: string; readonly colour: Colour };

/** "Select Graphic Rendition" (ECMA-48 §8.3.117). */
const COLOURS = { bold: 1, faint: 2, green: 32, yellow: 33 } as const;
export type Colour = keyof typeof COLOURS;

export function printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  startTable(headings).add(rows);
}

/** A table that is printed as its rows arrive. A column is as wide as its widest cell so far. */
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
      printPart(lines.map((line) => `${rowOf(line, widths, paint)}\n`).join(""));
      lines = [];
    },
  };
}

type Paint = (text: string, colour: Colour) => string;

function rowOf(line: readonly Cell[], widths: readonly number[], paint: Paint): string {
  return line
    .map((cell, column) => {
      const text = shown(cell);
      const isLast = column === line.length - 1;
      const padding = isLast ? "" : " ".repeat((widths[column] ?? 0) - Bun.stringWidth(text));
      return (typeof cell === "string" || text === "" ? text : paint(text, cell.colour)) + padding;
    })
    .join("  ")
    .trimEnd();
}

function shown(cell: Cell): string {
  return escapeControls(typeof cell === "string" ? cell : cell.text);
}

/** Colours on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal has none. */
function painter(): Paint {
  if (!process.stdout.isTTY || isColourless()) return (text) => text;
  return (text, colour) => `\x1b[${COLOURS[colour]}m${text}\x1b[0m`;
}
