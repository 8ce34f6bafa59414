import { targetsOf } from "./columns.ts";
import { type DetectedEncoding, decoderOf, type Encoding, encodingName } from "./encoding.ts";
import { detectFormat, type ImportFormat } from "./file-format.ts";
import { splitRecord } from "./read-csv.ts";
import { UnreadableFileError } from "./read-lines.ts";

export interface Dialect {
  readonly format: ImportFormat;
  readonly encoding: Encoding;
  /** False if the user has to confirm the encoding before an import. */
  readonly isSure: boolean;
  readonly separator: string;
  /** The last character of each line break: LF (also for CR LF), or CR if the file contains no LF. */
  readonly lineBreak: "\n" | "\r";
  /** True if the first line of the file is an instruction for Excel, such as `sep=;`. */
  readonly hasSeparatorLine: boolean;
}

/** The separators between CSV cells that can be detected, in order of precedence. */
const SEPARATORS = ["\t", ",", ";"] as const;

/**
 * The first bytes of workbook files, which are not CSV. Excel, Numbers and LibreOffice write such files as ZIP archives; until
 * 2003, Excel had its own format.
 */
const WORKBOOKS = [0x504b0304, 0xd0cf11e0];

/** The beginning of a PDF, and of a page or a workbook that is written as HTML or XML. */
const DOCUMENT = /^\s*(%PDF-|<(!doctype|html|\?xml)\b)/i;

/** Maximum share of control characters in a text. About a tenth of the characters in a picture or an archive are control characters. */
const CONTROLS_MAX = 0.05;

/**
 * Detects the dialect of an import file: its format, separator and line break.
 *
 * @param head the bytes of the file's first lines
 * @throws UnreadableFileError for a workbook, and for any other file that is not plain text
 */
export function detectDialect(
  head: Uint8Array,
  { encoding, isSure }: DetectedEncoding,
  given: { readonly format: ImportFormat | undefined; readonly separator?: string | undefined },
): Dialect {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if (WORKBOOKS.includes(((a << 24) | (b << 16) | (c << 8) | d) >>> 0))
    throw new UnreadableFileError(
      "The file is a workbook or an archive. Save the file as CSV, and import the CSV file.",
    );
  const text = decoderOf(encoding).decode(head);
  if (DOCUMENT.test(text) || isBinary(text))
    throw new UnreadableFileError(
      "The file is not plain text. Open the file in a spreadsheet program, save it as CSV, and import the CSV file.",
    );
  const named = /^"?sep=(.)"?(?=[\r\n])/i.exec(text);
  const [separatorLine = "", namedSeparator] = named ?? [];
  const { record, lineBreak } = firstRecord(text.slice(separatorLine.length).trimStart());
  return {
    format: given.format ?? detectFormat(text),
    encoding,
    isSure,
    separator: given.separator ?? namedSeparator ?? detectSeparator(record),
    lineBreak,
    hasSeparatorLine: named !== null,
  };
}

function isBinary(text: string): boolean {
  const controls = text.match(/(?![\s\u{80}-\u{9f}])\p{Cc}/gu)?.length ?? 0;
  return controls > text.length * CONTROLS_MAX;
}

/**
 * Returns the first record of a CSV file, and the kind of line break at its end. The record ends at the first line break outside
 * quotes.
 */
function firstRecord(text: string): { readonly record: string; readonly lineBreak: Dialect["lineBreak"] } {
  const [, record = text, ending] = /^((?:[^"\r\n]|"[^"]*")*)(\r\n|\r|\n)/.exec(text) ?? [];
  return { record, lineBreak: ending === "\r" ? "\r" : "\n" };
}

/**
 * Detects the separator of a CSV file, by trying each separator. The best separator lets an import recognize the most columns. If
 * no columns are recognized, it is the separator that results in the most columns.
 */
function detectSeparator(record: string): string {
  const found = SEPARATORS.map((separator) => {
    const cells = splitRecord(record, separator);
    // If no column is recognized, even one tab means that the separator is a tab, because ordinary text contains commas and
    // semicolons, but hardly ever a tab.
    const columns = separator === "\t" && cells.length > 1 ? Number.POSITIVE_INFINITY : cells.length;
    return { separator, known: targetsOf(cells).filter(Boolean).length, columns };
  });
  found.sort((one, other) => other.known - one.known || other.columns - one.columns);
  return found[0]?.separator ?? SEPARATORS[0];
}

/** Describes the format and encoding of a file: `separated by ";", Windows-1252`. */
export function dialectInWords({ format, separator, encoding }: Dialect): string {
  const name = encodingName(encoding);
  if (format !== "csv") return `${format === "json" ? "a JSON array" : "JSON Lines"}, ${name}`;
  return `separated by ${separator === "\t" ? "tabs" : `"${separator}"`}, ${name}`;
}
