import { statSync } from "node:fs";
import { basename } from "node:path";
import { IMPORT_RECORD_BYTES_MAX } from "../../limits.ts";
import { detectDialect } from "../../pet-files/dialect.ts";
import { detectEncoding } from "../../pet-files/encoding.ts";
import { formatOf, type ImportFormat } from "../../pet-files/file-format.ts";
import { readChunks } from "../../pet-files/read-chunks.ts";

type Chunks = AsyncGenerator<Uint8Array, void, void>;

/**
 * Opens a file, or standard input for `-`. The format is given, or detected by the extension or the first character; the
 * encoding is detected in the whole file, or in the beginning of a stream.
 *
 * @param stop an abort closes the stream and looks like its end
 * @throws Error for the user if there is no such file
 */
export async function openInput(file: string, format: ImportFormat | undefined, stop: AbortSignal) {
  const isInput = file === "-";
  const status = isInput ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!isInput && status === undefined) throw new Error(`There is no file ${file}.`);
  if (status?.isDirectory()) throw new Error(`${file} is a folder, not a file.`);
  const open = () => readChunks(isInput ? Bun.stdin.stream() : Bun.file(file).stream(), stop);
  const isFile = status?.isFile() ?? false;
  const encoding = isFile ? await detectEncoding(open()) : undefined;
  const rest = open();
  const head = await readHead(rest);
  return {
    title: isInput ? "standard input" : file,
    name: isInput ? undefined : basename(file),
    dialect: await detectDialect(head, { format: format ?? formatOf(file), encoding }),
    chunks: prepend(head, rest),
    /** Reads the file again from its beginning; undefined for a stream. */
    reopen: isFile ? open : undefined,
  };
}

export type Input = Awaited<ReturnType<typeof openInput>>;

/** Reads the first line of input, two if the first names the separator; more would keep a typing person waiting. */
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
    if (others.length > (first.includes("sep=") ? 1 : 0) || head.length > IMPORT_RECORD_BYTES_MAX)
      return head;
  }
}

async function* prepend(head: Uint8Array, rest: Chunks): Chunks {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    // A consumer that stops at the first chunk never starts `rest`, which would stay open.
    await rest.return();
  }
}
