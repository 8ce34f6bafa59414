import { type Line, UnreadableFileError } from "./read-lines.ts";

// CSV as RFC 4180 has it. A record that breaks its rules is read on leniently to its end, so that what stands in its quotes
// is never taken for lines of their own; it is then refused as a whole. Decision 18.

export interface CsvRecord {
  /** The first and the last of its lines: a cell in quotes may hold line breaks. */
  readonly line: number;
  readonly lastLine: number;
  readonly cells: readonly string[];
  /** What is wrong with it: `has text after a closing quote`. */
  readonly fault: string | undefined;
  /** How much of the file has been seen, in bytes. */
  readonly end: number;
}

interface OpenRecord {
  readonly line: number;
  readonly cells: string[];
  cell: string;
  /** Where the reader is: before a cell, in one, within its quotes, or behind the quote that closed it. */
  place: "before" | "plain" | "quoted" | "behind";
  fault: string | undefined;
  bytes: number;
}

/**
 * The records of a file, empty lines left out.
 *
 * @throws UnreadableFileError when a quote stays open for more than `maxBytes`
 */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  maxBytes: number,
): AsyncGenerator<CsvRecord, void, void> {
  let open: OpenRecord | undefined;
  let last: Line | undefined;
  for await (const line of lines) {
    last = line;
    const { text, fault } = decode(line);
    if (open === undefined && text === "") continue;
    open ??= { line: line.number, cells: [], cell: "", place: "before", fault, bytes: 0 };
    open.fault ??= fault;
    open.bytes += line.bytes.length + line.ending.length;
    readLine(open, text);
    if (open.place !== "quoted") {
      yield closed(open, line);
      open = undefined;
    } else if (open.bytes > maxBytes) {
      throw new UnreadableFileError(`Line ${open.line} opens a quote that does not close.`);
    } else open.cell += line.ending;
  }
  if (open !== undefined && last !== undefined)
    yield closed({ ...open, fault: "opens a quote that does not close" }, last);
}

function closed({ line, cells, cell, fault }: OpenRecord, { number, end }: Line): CsvRecord {
  return { line, lastLine: number, cells: [...cells, cell], fault, end };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** A byte order mark at the start of the file is no part of the first cell. */
function decode({ number, bytes }: Line): { text: string; fault: string | undefined } {
  const withoutMark = (text: string) => (number === 1 ? text.replace(/^\ufeff/, "") : text);
  try {
    return { text: withoutMark(strict.decode(bytes)), fault: undefined };
  } catch {
    return { text: withoutMark(lenient.decode(bytes)), fault: "is not UTF-8" };
  }
}

function readLine(record: OpenRecord, text: string): void {
  if (record.place === "before" && !text.includes('"')) {
    const cells = text.split(",");
    record.cell = cells.pop() ?? "";
    // One by one: as arguments of one call, the cells of a long line run out of stack.
    for (const cell of cells) record.cells.push(cell);
    return;
  }
  let at = 0;
  while (at < text.length) {
    if (record.place === "before") at = beginCell(record, text, at);
    else if (record.place === "quoted") at = readQuoted(record, text, at);
    else at = readPlain(record, text, at);
  }
}

function beginCell(record: OpenRecord, text: string, at: number): number {
  record.cell = "";
  if (text[at] === '"') {
    record.place = "quoted";
    return at + 1;
  }
  record.place = "plain";
  return at;
}

/** As far as the quote that closes the cell; two of them are one of its characters. */
function readQuoted(record: OpenRecord, text: string, at: number): number {
  const quote = text.indexOf('"', at);
  record.cell += text.slice(at, quote === -1 ? text.length : quote);
  if (quote === -1) return text.length;
  if (text[quote + 1] === '"') {
    record.cell += '"';
    return quote + 2;
  }
  record.place = "behind";
  return quote + 1;
}

/** As far as the comma that ends the cell. */
function readPlain(record: OpenRecord, text: string, at: number): number {
  const comma = text.indexOf(",", at);
  const end = comma === -1 ? text.length : comma;
  const found = text.slice(at, end);
  if (record.place === "behind" && found !== "") record.fault ??= "has text after a closing quote";
  else if (found.includes('"')) record.fault ??= "has a quote in a cell that does not begin with one";
  record.cell += found;
  if (comma === -1) return text.length;
  record.cells.push(record.cell);
  record.cell = "";
  record.place = "before";
  return comma + 1;
}

/** A record with its line break (RFC 4180 §2: CR LF). */
export function writeCsv(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}
