/** The encoding of a file, by its name in the WHATWG Encoding Standard, as `TextDecoder` returns it. */
export type Encoding = string;

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /**
   * False if some bytes of the file could be different letters in another encoding. `encoding` is then a suggestion that the user
   * must confirm.
   */
  readonly isSure: boolean;
}

/** The encodings that the user can choose if a file is not Unicode, keyed by name, with the languages that use each encoding. */
export const FOREIGN_ENCODINGS: Readonly<
  Record<Encoding, { name: string; used: string; languages: string }>
> = {
  "windows-1252": { name: "Windows-1252", used: "Western Europe, America", languages: "" },
  "windows-1250": {
    name: "Windows-1250",
    used: "Central Europe",
    languages: "bs cs hr hu pl ro sk sl sq",
  },
  "windows-1251": { name: "Windows-1251", used: "Cyrillic", languages: "be bg kk ky mk mn ru sr tg tt uk" },
  "windows-1253": { name: "Windows-1253", used: "Greek", languages: "el" },
  "windows-1254": { name: "Windows-1254", used: "Turkish", languages: "az ku tr" },
  "windows-1255": { name: "Windows-1255", used: "Hebrew", languages: "he iw" },
  "windows-1256": { name: "Windows-1256", used: "Arabic", languages: "ar fa ur" },
  "windows-1257": { name: "Windows-1257", used: "Baltic", languages: "et lt lv" },
  "windows-1258": { name: "Windows-1258", used: "Vietnamese", languages: "vi" },
  "windows-874": { name: "Windows-874", used: "Thai", languages: "th" },
  shift_jis: { name: "Shift_JIS", used: "Japanese", languages: "ja" },
  gbk: { name: "GBK", used: "Chinese, simplified", languages: "zh" },
  big5: { name: "Big5", used: "Chinese, traditional", languages: "zh-tw zh-hk zh-mo" },
  "euc-kr": { name: "EUC-KR", used: "Korean", languages: "ko" },
  macintosh: { name: "Macintosh", used: "old Mac programs", languages: "" },
};

const UNICODE: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
};

export function isUnicode(encoding: Encoding): boolean {
  return Object.hasOwn(UNICODE, encoding);
}

export function encodingName(encoding: Encoding): string {
  return UNICODE[encoding] ?? FOREIGN_ENCODINGS[encoding]?.name ?? encoding;
}

/** Returns the encoding for a label of the Encoding Standard (`latin1` is windows-1252), or undefined for any other text. */
export function encodingLabelled(label: string): Encoding | undefined {
  try {
    return decoderOf(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * Creates a decoder for any encoding. Bun's type definitions list only three encodings, but Bun supports all encodings of the
 * Encoding Standard, like browsers.
 *
 * @throws RangeError
 */
export function decoderOf(label: string): TextDecoder {
  return new TextDecoder(label as ConstructorParameters<typeof TextDecoder>[0]);
}

/**
 * Returns the encoding that spreadsheet programs use for CSV files in countries where a language is spoken. The language may be
 * written as `pl-PL` or as `pl_PL.UTF-8`.
 */
function encodingOfLanguage(language: string): Encoding {
  const [tag = "", region] = language
    .toLowerCase()
    .split(".", 1)
    .flatMap((name) => name.split(/[-_]/));
  const found = [`${tag}-${region}`, tag].flatMap((name) =>
    Object.keys(FOREIGN_ENCODINGS).filter((key) =>
      FOREIGN_ENCODINGS[key]?.languages.split(" ").includes(name),
    ),
  );
  return (tag !== "" && found[0]) || "windows-1252";
}

export function isAscii(text: string): boolean {
  return !/[\u{80}-\u{10ffff}]/u.test(text);
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Detects a file's encoding. A file is Unicode if it begins with a byte order mark, has a zero byte in its first character, or is
 * valid UTF-8. Any other file counts as Windows-1252 if its bytes stand for the same letters in the Western, Central European and
 * Turkish encodings.
 *
 * @param open a function that opens the file; it is called once or twice
 * @param language the user's language, which determines the suggested encoding
 */
export async function detectEncoding(open: () => Chunks, language: string): Promise<DetectedEncoding> {
  const unicode = await detectUnicode(open());
  if (unicode !== undefined) return { encoding: unicode, isSure: true };
  return (await isPlainlyWestern(open()))
    ? { encoding: "windows-1252", isSure: true }
    : { encoding: encodingOfLanguage(language), isSure: false };
}

/** Detects an encoding of Unicode. @returns undefined if the file is not Unicode */
async function detectUnicode(chunks: Chunks): Promise<Encoding | undefined> {
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
  if (expected > 0) strays++;
  // A file with more valid UTF-8 sequences than stray bytes is damaged UTF-8. The import will refuse only its damaged lines.
  return strays > sequences ? undefined : "utf-8";
}

function encodingOfStart([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  // The first character of CSV and JSON is nearly always ASCII. In UTF-16, one of the two bytes of an ASCII character is 0.
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : undefined;
}

/** Returns how many bytes follow the first byte of a UTF-8 sequence (RFC 3629 §4). */
function continuationsAfter(byte: number): number {
  if (byte >= 0xc2 && byte < 0xe0) return 1;
  if (byte >= 0xe0 && byte < 0xf0) return 2;
  return byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
}

/**
 * Encodings that are similar to each other. A file is read as Windows-1252 without asking the user only if its bytes stand for
 * the same letters in all of these encodings.
 */
const SIMILAR = ["windows-1250", "windows-1252", "windows-1254"] as const;

/**
 * True if the file is certainly in one of the similar encodings. Each byte above 127 must stand for the same letter in all of them,
 * and every word with such a byte must contain an ASCII letter, and no capital after its first letter. Words in another alphabet
 * contain no ASCII letters, and umlauts that were saved on a Mac look like capitals inside words.
 */
async function isPlainlyWestern(chunks: Chunks): Promise<boolean> {
  const decoders = SIMILAR.map((encoding) => decoderOf(encoding));
  /**
   * The letter that each byte stands for; empty for a character that is not a letter. It is undefined for a byte that stands for no
   * character, or for different characters in these encodings.
   */
  const letters = Array.from({ length: 256 }, (_, byte) => {
    const [one = "", ...others] = decoders.map((decoder) => decoder.decode(Uint8Array.of(byte)));
    if (others.some((other) => other !== one) || (byte >= 0x80 && /\p{Cc}/u.test(one))) return undefined;
    return /\p{L}/u.test(one) ? one : "";
  });
  let word = "";
  for await (const chunk of chunks)
    for (const byte of chunk) {
      const letter = letters[byte];
      if (letter === undefined) return false;
      if (letter === "" && word === "") continue;
      word += letter;
      if (letter !== "") continue;
      if (!isPlainWord(word)) return false;
      word = "";
    }
  return isPlainWord(word);
}

function isPlainWord(word: string): boolean {
  if (isAscii(word)) return true;
  return /[a-z]/i.test(word) && !(/\p{Ll}/u.test(word) && /.\p{Lu}/u.test(word));
}

/**
 * Converts a file to UTF-8. Bytes that are invalid in the file's encoding are invalid in the result, too, so that the import
 * refuses the line that contains them.
 */
export async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void, void> {
  if (encoding === "utf-8") return yield* chunks;
  const decoder = decoderOf(encoding);
  const encode = createEncoder(encoding);
  for await (const chunk of chunks) yield encode(decoder.decode(chunk, { stream: true }));
  yield encode(decoder.decode());
}

/**
 * Creates a function that encodes text as UTF-8. In a file in UTF-16, U+FFFD may be a real character. In all other encodings, it
 * stands for invalid bytes, and becomes a byte that never occurs in UTF-8.
 */
function createEncoder(encoding: Encoding): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  if (isUnicode(encoding)) return (text) => encoder.encode(text);
  return (text) => {
    const bytes = encoder.encode(text);
    if (!text.includes("\ufffd")) return bytes;
    for (let at = 0; at + 2 < bytes.length; at++)
      if (bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) bytes[at] = 0xff;
    return bytes;
  };
}
