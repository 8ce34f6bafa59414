import { targetsOf } from "./columns.ts";
import type { Dialect } from "./dialect.ts";
import { isAscii, toUtf8 } from "./encoding.ts";
import { readRecords } from "./parse-pets.ts";

const NAMES_MAX = 3;

/**
 * Returns sample texts from a file. Each of them contains letters that depend on the encoding. Names of animals come first, then
 * texts from other cells.
 */
export async function sampleNames(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
): Promise<readonly string[]> {
  const names = new Set<string>();
  const others = new Set<string>();
  let name: number | undefined;
  for await (const cells of rowsOf(chunks, dialect)) {
    name ??= targetsOf(cells).indexOf("name");
    for (const [column, cell] of cells.entries())
      if (cell !== "" && !isAscii(cell)) add(column === name ? names : others, cell.trim());
    if (names.size === NAMES_MAX) break;
  }
  return [...names, ...others].slice(0, NAMES_MAX);
}

function add(texts: Set<string>, text: string) {
  if (texts.size < NAMES_MAX) texts.add(text);
}

/** Returns the cells of a CSV file, or the strings of a JSON file. */
async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
): AsyncGenerator<readonly string[]> {
  if (dialect.format === "csv") {
    for await (const { cells } of readRecords(chunks, dialect)) yield cells;
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of toUtf8(chunks, dialect.encoding))
    yield Array.from(
      decoder.decode(chunk, { stream: true }).matchAll(/"([^"\\]*)"/g),
      ([, text = ""]) => text,
    );
}
