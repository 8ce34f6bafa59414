import { UnreadableFileError } from "./read-lines.ts";

/** An item of an array, as text in UTF-8 that is not checked yet. */
export interface JsonItem {
  /** Its first and its last line. */
  readonly line: number;
  readonly lastLine: number;
  readonly bytes: Uint8Array;
}

const [QUOTE, BACKSLASH, COMMA, ARRAY, LF] = [0x22, 0x5c, 0x2c, 0x5b, 0x0a];
const OPENING: readonly number[] = [ARRAY, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];
const BLANK: readonly number[] = [0x20, 0x09, LF, 0x0d];
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * The items of a JSON array, on one line or many. Only the current item is kept in memory.
 *
 * @throws UnreadableFileError for an item longer than `maxBytes`, and for an array that does not begin or end
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<JsonItem, void, void> {
  const text = { depth: 0, isString: false, isEscaped: false };
  let place: "before" | "inside" | "after" = "before";
  let line = 1;
  let count = 0;
  let item: { line: number; lastLine: number; bytes: number[] } | undefined;
  for await (const chunk of chunks)
    for (const byte of chunk) {
      count++;
      if (byte === LF) line++;
      const isBlank = !text.isString && BLANK.includes(byte);
      if (place !== "inside") {
        if (place === "before" && byte === ARRAY) place = "inside";
        else if (!isBlank && !(count <= 3 && BYTE_ORDER_MARK.includes(byte)))
          throw new UnreadableFileError(`Line ${line} has text ${place} the array.`);
        continue;
      }
      const isSyntax = !text.isString;
      advance(text, byte);
      const isEnd = text.depth < 0;
      if (isEnd || (isSyntax && text.depth === 0 && byte === COMMA)) {
        if (item !== undefined) yield { ...item, bytes: Uint8Array.from(item.bytes) };
        item = undefined;
        if (isEnd) place = "after";
      } else if (item !== undefined || !isBlank) {
        item ??= { line, lastLine: line, bytes: [] };
        item.bytes.push(byte);
        if (!isBlank) item.lastLine = line;
        if (item.bytes.length > maxBytes)
          throw new UnreadableFileError(`Line ${item.line} begins an item longer than ${maxBytes} bytes.`);
      }
    }
  if (place !== "after") throw new UnreadableFileError("The array does not end with ].");
}

/** Counts the brackets outside of strings: below 0 the array itself has ended. */
function advance(text: { depth: number; isString: boolean; isEscaped: boolean }, byte: number): void {
  if (text.isString) {
    text.isString = text.isEscaped || byte !== QUOTE;
    text.isEscaped = !text.isEscaped && byte === BACKSLASH;
  } else if (byte === QUOTE) text.isString = true;
  else if (OPENING.includes(byte)) text.depth++;
  else if (CLOSING.includes(byte)) text.depth--;
}
