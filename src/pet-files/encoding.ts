/** UTF-16 as Excel's "Unicode text" has it; Windows-1252 as its CSV has it in Western Europe and America. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** In Windows-1252 these are no characters. */
const UNDEFINED_IN_WINDOWS_1252: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** The encoding of a file, or of its beginning: by its byte order mark, by a first character in two bytes, or else by whether its bytes are UTF-8. */
export async function detectEncoding(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Encoding> {
  let isStart = true;
  let expected = 0;
  let sequences = 0;
  let strays = 0;
  for await (const chunk of chunks) {
    const marked = isStart ? encodingOfStart(chunk) : undefined;
    if (marked !== undefined) return marked;
    isStart &&= chunk.length === 0;
    for (const byte of chunk) {
      if (byte < 0x80 && expected === 0) continue;
      if (UNDEFINED_IN_WINDOWS_1252.includes(byte) && expected === 0) return "utf-8";
      if (byte >= 0x80 && byte < 0xc0 && expected > 0) {
        expected--;
        if (expected === 0) sequences++;
        continue;
      }
      if (expected > 0) strays++;
      expected = continuationsAfter(byte);
      if (byte >= 0x80 && expected === 0) strays++;
    }
  }
  // A file with more sequences than stray bytes is UTF-8 that was damaged: its damaged lines are refused, by number.
  return strays > sequences ? "windows-1252" : "utf-8";
}

function encodingOfStart([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  // The first character of CSV and JSON is ASCII nearly always: in UTF-16 one of its two bytes is 0.
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : undefined;
}

/** How many bytes follow the first byte of a sequence in UTF-8 (RFC 3629 §4). */
function continuationsAfter(byte: number): number {
  if (byte >= 0xc2 && byte < 0xe0) return 1;
  if (byte >= 0xe0 && byte < 0xf0) return 2;
  return byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
}

/** Transcodes to UTF-8. */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void, void> {
  // As it is: a line that is not UTF-8 is refused by its number.
  if (encoding === "utf-8") return yield* chunks;
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
