import { statSync } from "node:fs";
import { basename, extname } from "node:path";
import { FILE_FORMATS, type FileFormat } from "./parse-pets.ts";

/** A file, or standard input, that is read as a stream. */
export type Input = Awaited<ReturnType<typeof openInput>>;

const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  ".csv": "csv",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
};

/** The format that the file's extension stands for. */
export function formatOf(file: string): FileFormat | undefined {
  return EXTENSIONS[extname(file).toLowerCase()];
}

/**
 * Opens a file, or standard input for `-`. The format comes from the user, the extension, or the first character.
 *
 * @param stop on abort the stream ends as if the file did, and is closed
 * @throws Error for the user when there is no such file
 */
export async function openInput(file: string, format: FileFormat | undefined, stop: AbortSignal) {
  const isInput = file === "-";
  const status = isInput ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!isInput && status === undefined) throw new Error(`There is no file ${file}.`);
  if (status?.isDirectory()) throw new Error(`${file} is a folder, not a file.`);
  const stream = isInput ? Bun.stdin.stream() : Bun.file(file).stream();
  const chunks = readUntil(stream, stop);
  const first = await chunks.next();
  return {
    /** For messages. */
    title: isInput ? "standard input" : file,
    name: isInput ? undefined : basename(file),
    /** In bytes; undefined for a pipe or a terminal. */
    size: status?.isFile() ? status.size : undefined,
    format: format ?? formatOf(file) ?? (first.done ? FILE_FORMATS[0] : detectFormat(first.value)),
    chunks: prepend(first, chunks),
  };
}

/** JSON Lines begin with `{`, after an optional byte order mark and blanks. */
function detectFormat(bytes: Uint8Array): FileFormat {
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

async function* prepend(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    // A consumer that stops at the first chunk never starts `rest`, which would stay open.
    await rest.return();
  }
}
