import { type Line, UnreadableFileError } from "./read-lines.ts";

// Reads CSV (RFC 4180). An invalid record is read leniently to its end, so that the text in its quotes is never mistaken for
// further records. Then the whole record is refused (decision 18).

export interface CsvRecord {
  /** The numbers of the record's first and last line. They differ if a quoted cell contains line breaks. */
  readonly line: number;
  readonly lastLine: number;
  readonly cells: readonly string[];
  /**
   * The reason to refuse the record, worded to follow the record's name: `has text between a closing quote and the end of the
   * cell`.
   */
  readonly fault: string | undefined;
}

interface OpenRecord {
  readonly line: number;
  readonly cells: string[];
  cell: string;
  /** Position of the parser: before a cell, in a cell without quotes, in quotes, or after the closing quote. */
  state: "before" | "plain" | "quoted" | "closed";
  fault: string | undefined;
  bytes: number;
}

interface CsvOptions {
  readonly maxBytes: number;
  readonly separator: string;
  /** The name of the file's encoding, which is part of the reason to refuse a line. */
  readonly encoding: string;
}

/** Reads CSV records, and skips empty lines. @throws UnreadableFileError if a quoted cell does not end within `maxBytes` */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  { maxBytes, separator, encoding }: CsvOptions,
): AsyncGenerator<CsvRecord, void, void> {
  let open: OpenRecord | undefined;
  let last: Line | undefined;
  for await (const line of lines) {
    last = line;
    const { text, isText } = decode(line);
    const fault = isText ? undefined : `is not valid ${encoding}`;
    if (open === undefined && text === "") continue;
    open ??= { ...emptyRecord(line.number), fault };
    open.fault ??= fault;
    open.bytes += line.bytes.length + line.ending.length;
    readLine(open, text, separator);
    if (open.state !== "quoted") {
      yield finish(open, line);
      open = undefined;
    } else if (open.bytes > maxBytes) {
      throw new UnreadableFileError(`Line ${open.line} has an opening quote without a closing quote.`);
    } else open.cell += line.ending;
  }
  if (open !== undefined && last !== undefined)
    yield finish({ ...open, fault: "has an opening quote without a closing quote" }, last);
}

function emptyRecord(line: number): OpenRecord {
  return { line, cells: [], cell: "", state: "before", fault: undefined, bytes: 0 };
}

export function splitRecord(text: string, separator: string): readonly string[] {
  const record = emptyRecord(1);
  readLine(record, text, separator);
  return [...record.cells, record.cell];
}

function finish({ line, cells, cell, fault }: OpenRecord, { number }: Line): CsvRecord {
  return { line, lastLine: number, cells: [...cells, cell], fault };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes a line. Removes a byte order mark at the beginning of the file. */
function decode({ number, bytes }: Line): { text: string; isText: boolean } {
  const withoutMark = (text: string) => (number === 1 ? text.replace(/^\ufeff/, "") : text);
  try {
    return { text: withoutMark(strict.decode(bytes)), isText: true };
  } catch {
    return { text: withoutMark(lenient.decode(bytes)), isText: false };
  }
}

function readLine(record: OpenRecord, text: string, separator: string) {
  if (record.state === "before" && !text.includes('"')) {
    const cells = text.split(separator);
    record.cell = cells.pop() ?? "";
    // The cells are appended one by one. As arguments of a single call, the cells of a long line would overflow the stack.
    for (const cell of cells) record.cells.push(cell);
    return;
  }
  let at = 0;
  while (at < text.length) {
    if (record.state === "before") at = beginCell(record, text, at);
    else if (record.state === "quoted") at = readQuoted(record, text, at);
    else at = readPlain(record, text, at, separator);
  }
}

function beginCell(record: OpenRecord, text: string, at: number): number {
  record.cell = "";
  if (text[at] === '"') {
    record.state = "quoted";
    return at + 1;
  }
  record.state = "plain";
  return at;
}

/** Reads a quoted cell up to the next quote. A doubled quote stands for one quote in the text. */
function readQuoted(record: OpenRecord, text: string, at: number): number {
  const quote = text.indexOf('"', at);
  record.cell += text.slice(at, quote === -1 ? text.length : quote);
  if (quote === -1) return text.length;
  if (text[quote + 1] === '"') {
    record.cell += '"';
    return quote + 2;
  }
  record.state = "closed";
  return quote + 1;
}

function readPlain(record: OpenRecord, text: string, at: number, separator: string): number {
  const ending = text.indexOf(separator, at);
  const end = ending === -1 ? text.length : ending;
  const found = text.slice(at, end);
  if (record.state === "closed" && found !== "")
    record.fault ??= "has text between a closing quote and the end of the cell";
  else if (found.includes('"')) record.fault ??= "has a quote in a cell that does not begin with a quote";
  record.cell += found;
  if (ending === -1) return text.length;
  record.cells.push(record.cell);
  record.cell = "";
  record.state = "before";
  return ending + 1;
}
