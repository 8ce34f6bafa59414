import { writeSync } from "node:fs";

/** Results go to standard output, for people as tables and for programs as JSON; everything else to standard error. */

/** @throws Error when nobody can read it: a key that was shown to no one should not look like a success */
export function print(text: string): void {
  try {
    writeSync(process.stdout.fd, `${text}\n`);
  } catch (error) {
    throw new Error("The result could not be written to standard output.", { cause: error });
  }
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Columns under headings, as wide as their widest cell. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))),
  );
  for (const line of lines) {
    const cells = line.map(
      (cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)),
    );
    print(cells.join("  ").trimEnd());
  }
}
