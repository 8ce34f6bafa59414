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

/** Properties of a file that the user may specify. Properties that the user does not specify are detected. */
export interface FileOptions {
  readonly format?: ImportFormat;
  readonly encoding?: Encoding;
  readonly separator?: string;
}

/**
 * Opens a file, or standard input for `-`. Unless the user has specified them, detects the format (from the file's extension or its
 * first character) and the encoding (from the whole file or, for a stream, from its beginning).
 *
 * @param stop a signal that closes the input when it aborts; to the reader, this looks like the end of the input
 * @throws Error with a message for the user if there is no such file
 * @throws ConfigError if the user has to specify the encoding; the message shows some names from the file in several encodings
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
    /** Reads the beginning of the file, with at least its first line. */
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
 * Returns sentences that ask the user for `--encoding`. They show how each encoding would read some names from the file. The
 * suggested encoding comes first.
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
  // The suggested encoding depends on the user's language. If it cannot decode all letters of the file, another encoding is
  // suggested.
  const [likely = suggested] = readable.keys();
  return [
    `${title} is not UTF-8, and its encoding is unknown. The encoding may be ${encodingName(likely)}.`,
    "Nothing was sent. Find the line below in which the names look right, and run the command again with the option in that line:",
    ...[...readable].map(([encoding, names]) => `  --encoding ${encoding.padEnd(13)} ${names}`),
  ].join("\n");
}

/**
 * Reads the first line of the input, or the first two lines if the first one only names the separator. Does not wait for more
 * input, because a person may be typing it.
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
    // If the caller stops reading at the first chunk, the generator `rest` never starts. A generator that has not started does
    // not run its clean-up, so it is closed here.
    await rest.return();
  }
}
