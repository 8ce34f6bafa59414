/** Encoding of a file: UTF-16 as in Excel's "Unicode text", Windows-1252 as in its CSV in Western Europe and America. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes without a character in Windows-1252. */
const UNDEFINED_IN_WINDOWS_1252: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** Detects an encoding by byte order mark, by a zero byte in the first character, or by whether it is valid UTF-8. */
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
  // With more sequences than stray bytes it is damaged UTF-8: its damaged lines are refused by number.
  return strays > sequences ? "windows-1252" : "utf-8";
}

function encodingOfStart([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  // The first character of CSV and JSON is nearly always ASCII: in UTF-16 one of its bytes is 0.
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : undefined;
}

/** Number of bytes after the first byte of a UTF-8 sequence (RFC 3629 §4). */
function continuationsAfter(byte: number): number {
  if (byte >= 0xc2 && byte < 0xe0) return 1;
  if (byte >= 0xe0 && byte < 0xf0) return 2;
  return byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
}

export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void, void> {
  // Unchanged: a line that is not UTF-8 is refused by its number.
  if (encoding === "utf-8") return yield* chunks;
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
