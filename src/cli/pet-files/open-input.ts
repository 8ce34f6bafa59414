import { statSync } from "node:fs";
import { basename } from "node:path";
import { readLanguage } from "../../config/environment.ts";
import { ConfigError } from "../../config/settings.ts";
import { BODY_BYTES_MAX } from "../../limits.ts";
import { type Dialect, detectDialect } from "../../pet-files/dialect.ts";
import { detectEncoding, type Encoding, encodingName, FOREIGN_ENCODINGS } from "../../pet-files/encoding.ts";
import { formatOf, type ImportFormat } from "../../pet-files/file-format.ts";
import { readChunks } from "../../pet-files/read-chunks.ts";
import { sampleNames } from "../../pet-files/sample-names.ts";
import { escapeControls } from "../terminal/escape-controls.ts";

type Chunks = AsyncGenerator<Uint8Array, void, void>;

/** Properties of a file that the user may state. All others are detected. */
export interface FileOptions {
  readonly format?: ImportFormat;
  readonly encoding?: Encoding;
  readonly separator?: string;
}

/**
 * Opens a file, or standard input for `-`. The format is either given by the user or detected by the file's extension or first
 * character. The encoding is either given by the user or detected from the whole file, or from the beginning of a stream.
 *
 * @param stop an abort closes the stream, which looks like the end of the stream
 * @throws Error with a text for the user if there is no such file
 * @throws ConfigError if the user has to name the encoding; it shows some names from the file in several encodings
 */
export async function openInput(file: string, given: FileOptions, stop: AbortSignal) {
  const isInput = file === "-";
  const status = isInput ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!isInput && status === undefined) throw new Error(`There is no file ${file}.`);
  if (status?.isDirectory()) throw new Error(`${file} is a folder, not a file.`);
  const open = () => readChunks(isInput ? Bun.stdin.stream() : Bun.file(file).stream(), stop);
  const isFile = status?.isFile() ?? false;
  const rest = open();
  const head = await readHead(rest);
  const reopen = () => (isFile ? open() : once(head));
  const detected =
    given.encoding === undefined
      ? await detectEncoding(reopen, readLanguage())
      : { encoding: given.encoding, isSure: true };
  const format = given.format ?? formatOf(file);
  const dialectIn = (encoding: Encoding) =>
    detectDialect(head, { ...detected, encoding }, { format, separator: given.separator });
  const title = isInput ? "standard input" : file;
  const dialect = dialectIn(detected.encoding);
  if (!dialect.isSure)
    throw new ConfigError(await askForEncoding(title, dialect.encoding, dialectIn, reopen));
  return {
    title,
    name: isInput ? undefined : basename(file),
    dialect,
    isEncodingGiven: given.encoding !== undefined,
    /** The beginning of the file, with at least the first line. */
    beginning: () => once(head),
    chunks: prepend(head, rest),
    /** Reads the file again from its beginning; undefined for a stream, which can be read only once. */
    reopen: isFile ? open : undefined,
  };
}

export type Input = Awaited<ReturnType<typeof openInput>>;

async function* once(chunk: Uint8Array): Chunks {
  yield chunk;
}

/**
 * Returns sentences that ask the user for `--encoding`. They show some names from the file as each encoding would read them,
 * beginning with the suggested encoding.
 */
async function askForEncoding(
  title: string,
  suggested: Encoding,
  dialectIn: (encoding: Encoding) => Dialect,
  open: () => Chunks,
): Promise<string> {
  const readable = new Map<Encoding, string>();
  for (const encoding of new Set([suggested, ...Object.keys(FOREIGN_ENCODINGS)])) {
    const names = await sampleNames(open(), dialectIn(encoding));
    const isText = !names.some((name) => /\ufffd|\p{Cc}/u.test(name));
    if (isText) readable.set(encoding, escapeControls(names.join(", ")));
  }
  // The suggested encoding follows from the user's language. It may not be able to read some of the file's letters, and another
  // encoding is then suggested.
  const [likely = suggested] = readable.keys();
  return [
    `${title} is not UTF-8, and its encoding is unknown. The encoding may be ${encodingName(likely)}.`,
    "Nothing was sent. Find the line in which the names look right, and run the command again with that option:",
    ...[...readable].map(([encoding, names]) => `  --encoding ${encoding.padEnd(13)} ${names}`),
  ].join("\n");
}

/**
 * Reads the first line of the input, or two lines if the first line only names the separator. It reads no further, because a person
 * who is typing the input would have to wait.
 */
async function readHead(chunks: Chunks): Promise<Uint8Array> {
  let head = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return head;
    head = Buffer.concat([head, value]);
    const [first = "", ...others] = head
      .toString("latin1")
      .trimStart()
      .split(/[\r\n]+/);
    if (others.length > (first.includes("sep=") ? 1 : 0) || head.length > BODY_BYTES_MAX) return head;
  }
}

async function* prepend(head: Uint8Array, rest: Chunks): Chunks {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    // If the caller stops reading at the first chunk, the generator `rest` is never started. A generator that has not started does
    // not run its own cleanup, so it is closed here.
    await rest.return();
  }
}
