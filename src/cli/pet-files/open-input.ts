import { statSync } from "node:fs";
import { basename, extname } from "node:path";
import { FILE_FORMATS, type FileFormat } from "./parse-pets.ts";

/** A file that is read as it comes. */
export interface Input {
  /** For people; standard input has a name of its own. */
  readonly title: string;
  /** Undefined for standard input. */
  readonly name: string | undefined;
  /** Undefined for what has no end that is known. */
  readonly size: number | undefined;
  readonly format: FileFormat;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What files are called, by what is in them. */
const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  ".csv": "csv",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
};

/** What a file's name says about what is in it. */
export function formatOf(file: string): FileFormat | undefined {
  return EXTENSIONS[extname(file).toLowerCase()];
}

/**
 * Opens a file, or standard input for `-`. Where neither the user nor the name says what is in it, its first character does.
 *
 * @param stop aborted, reading ends as if the file did, and nothing of it is open any more
 * @throws Error, in words for the user
 */
export async function openInput(
  file: string,
  format: FileFormat | undefined,
  stop: AbortSignal,
): Promise<Input> {
  const isInput = file === "-";
  const status = isInput ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!isInput && status === undefined) throw new Error(`There is no ${file}.`);
  if (status?.isDirectory()) throw new Error(`${file} is a folder.`);
  const stream = isInput ? Bun.stdin.stream() : Bun.file(file).stream();
  const chunks = readUntil(stream, stop);
  const first = await chunks.next();
  return {
    title: isInput ? "standard input" : file,
    name: isInput ? undefined : basename(file),
    size: status?.isFile() ? status.size : undefined,
    format: format ?? formatOf(file) ?? (first.done ? FILE_FORMATS[0] : sniffed(first.value)),
    chunks: joined(first, chunks),
  };
}

/** Behind blanks and a byte order mark. */
function sniffed(bytes: Uint8Array): FileFormat {
  return /^\ufeff?[ \t\r\n]*\{/.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))
    ? "jsonl"
    : "csv";
}

async function* readUntil(
  stream: ReadableStream<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel();
  stop.addEventListener("abort", cancel, { once: true });
  try {
    while (!stop.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    stop.removeEventListener("abort", cancel);
    cancel();
  }
}

async function* joined(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    // Whoever stops at the first part has not begun with the others, and would leave them open.
    await rest.return();
  }
}
