import { statSync } from "node:fs";
import { basename } from "node:path";
import { detectFormat, FILE_FORMATS, type FileFormat, formatOf } from "../../pet-files/file-format.ts";
import { readChunks } from "../../pet-files/read-chunks.ts";

/** A file, or standard input, that is read as a stream. */
export type Input = Awaited<ReturnType<typeof openInput>>;

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
  const chunks = readChunks(stream, stop);
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
