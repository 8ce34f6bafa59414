import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { systemClock } from "../../platform/clock.ts";
import { withPath } from "../../platform/file-errors.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { createFile } from "../../platform/owned-files.ts";
import { answered, explainBucketError } from "./bucket-errors.ts";

const PIECE_BYTES = 1024 * 1024; // number of bytes that are read from a file at a time; the size of each uploaded part is a multiple of this
const PART_BYTES = 8 * PIECE_BYTES; // minimum size of each part of an upload; only one part at a time is kept in memory
const PARTS_MAX = 10_000; // maximum number of parts in one upload to Amazon S3
const STALL_MS = 60_000; // a transfer is aborted after this time without progress
const TICK_MS = 200; // interval at which the progress of a transfer is checked

/** Called and awaited during a transfer with the number of bytes transferred so far. If the callback throws, the transfer stops. */
export type OnBytes = (done: number, total: number) => Maybe<void>;

interface Target {
  readonly object: Bun.S3File;
  /** The bucket's address, as it appears in messages. */
  readonly url: string;
}

/**
 * Uploads a file in parts, and then checks that the object has the size and the checksum of the file. If anything fails, the object
 * is removed.
 */
export async function upload(file: string, { object, url }: Target, onBytes: OnBytes): Promise<void> {
  const total = statSync(file).size;
  const partSize = Math.max(PART_BYTES, Math.ceil(total / PARTS_MAX / PIECE_BYTES) * PIECE_BYTES);
  const source = readInPieces(file, partSize);
  try {
    const sending = object.write(new Response(source.stream), { partSize });
    await watched(sending, source.sent, (done) => onBytes(done, total), url);
    const { size, etag } = await answered(object.stat(), url);
    if (size === total && etag.replaceAll('"', "").toLowerCase() === source.etag()) return;
    // In some object stores, the ETag is not a checksum, especially for encrypted objects. The object is then read back and
    // compared.
    const isSame = size === total && (await sha256Of(object, url)) === (await sha256OfFile(file));
    if (!isSame)
      throw new Error(
        `${url} stored only a part of what was sent. The incomplete object was removed. Try again.`,
      );
  } catch (error) {
    source.end(error);
    // The upload may have succeeded although its response was lost, so the object has to be removed.
    await answered(object.unlink(), url).catch(() => {});
    throw error;
  } finally {
    source.close();
  }
}

async function sha256Of(object: Bun.S3File, url: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const update = (piece: Uint8Array) => void hash.update(piece);
  await receive({ object, url }, update, () => {});
  return hash.digest("hex");
}

export async function download(
  from: Target,
  file: string,
  onBytes: (done: number) => Maybe<void>,
): Promise<void> {
  createFile(file);
  const descriptor = openSync(file, "r+");
  try {
    const write = (piece: Uint8Array) => {
      for (let written = 0; written < piece.length; )
        written += withPath(file, () => writeSync(descriptor, piece, written));
    };
    const { size } = await answered(from.object.stat(), from.url);
    const received = await receive(from, write, onBytes);
    if (received !== size) throw new Error(`${from.url} ended the transfer early. Try again.`);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads an object of a bucket in pieces. @returns the number of bytes read */
async function receive(
  { object, url }: Target,
  onPiece: (piece: Uint8Array) => void,
  onBytes: (done: number) => Maybe<void>,
): Promise<number> {
  let received = 0;
  const reader = object.stream().getReader();
  async function read() {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received += value.length;
      onPiece(value);
    }
  }
  try {
    await watched(read(), () => received, onBytes, url);
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  }
  return received;
}

/**
 * Creates a stream of a file's pieces. While the stream is read, computes the ETag that an object store should return if the file
 * is uploaded in parts of this size (MD5, as documented by Amazon S3).
 */
function readInPieces(file: string, partSize: number) {
  const descriptor = openSync(file, "r");
  const total = statSync(file).size;
  const parts: Uint8Array[] = [];
  let part = new Bun.CryptoHasher("md5");
  let sent = 0;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  function endPart() {
    parts.push(part.digest());
    part = new Bun.CryptoHasher("md5");
  }
  const stream = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    pull(own) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, total - sent));
      if (piece.length === 0) return own.close();
      const length = readSync(descriptor, piece);
      if (length !== piece.length) throw new Error(`${file} changed during the upload.`);
      part.update(piece);
      sent += length;
      if (sent % partSize === 0 || sent === total) endPart();
      own.enqueue(piece);
    },
  });
  return {
    stream,
    sent: () => sent,
    /** Ends the stream with an error, which makes the runtime abort the upload. */
    end: (error: unknown) => controller?.error(error),
    close: () => closeSync(descriptor),
    etag() {
      if (total <= partSize) return Buffer.from(parts[0] ?? []).toString("hex");
      const all = new Bun.CryptoHasher("md5").update(Buffer.concat(parts)).digest("hex");
      return `${all}-${parts.length}`;
    },
  };
}

async function sha256OfFile(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(file).stream()) hash.update(piece);
  return hash.digest("hex");
}

/** Waits until a transfer finishes. Rejects if the transfer makes no progress for too long, or if `onBytes` throws. */
async function watched<Result>(
  transfer: Promise<Result>,
  doneBytes: () => number,
  onBytes: (done: number) => Maybe<void>,
  url: string,
): Promise<Result> {
  const over = new AbortController();
  const settled = transfer.finally(() => over.abort());
  settled.catch(() => {});
  let moved = { bytes: -1, at: 0 };
  while (!over.signal.aborted) {
    await onBytes(doneBytes());
    const now = systemClock.monotonicMs();
    if (doneBytes() !== moved.bytes) moved = { bytes: doneBytes(), at: now };
    if (now - moved.at > STALL_MS) throw new Error(`${url} has not answered for ${STALL_MS / 1000} s.`);
    await systemClock.wait(TICK_MS, over.signal);
  }
  return await settled.catch((error: unknown) => {
    throw explainBucketError(error, url);
  });
}
