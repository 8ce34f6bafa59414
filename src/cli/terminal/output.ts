import { writeSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import { escapeControlsInJson } from "./escape-controls.ts";

/** Results go to standard output, for people as tables and for programs as JSON; everything else to standard error. */

/** Whoever read our standard output has gone, as `head` does: no more is wanted, and nothing needs to be said. */
export class BrokenPipeError extends Error {
  override readonly name = "ReaderGoneError";
}

/** How long a pipe that is full is left alone before it is tried again. */
const FULL_PIPE_MS = 2;

/** @throws Error when nobody can read it: a key that was shown to no one should not look like a success */
export function print(text: string): void {
  try {
    writeWhole(process.stdout.fd, `${text}\n`);
  } catch (error) {
    throw new Error("The result could not be written to standard output.", { cause: error });
  }
}

/**
 * Part of a result that may be long.
 *
 * @throws ReaderGoneError
 */
export function printPart(text: string): void {
  try {
    writeWhole(process.stdout.fd, text);
  } catch (error) {
    throw unprinted(error);
  }
}

/**
 * The same for who listens for signals: they are heard while nobody reads.
 *
 * @throws ReaderGoneError, and what the signal was aborted with
 */
export async function printPartUnless(signal: AbortSignal, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSome(process.stdout.fd, bytes, written);
    } catch (error) {
      throw unprinted(error);
    }
    if (written === bytes.length) return;
    signal.throwIfAborted();
    await Bun.sleep(FULL_PIPE_MS);
  }
}

function unprinted(error: unknown): Error {
  if (isCode(error, "EPIPE")) return new BrokenPipeError("Nobody reads on.", { cause: error });
  return new Error("The result could not be written to standard output.", { cause: error });
}

/** Every byte, however little a pipe, or a disk that is nearly full, takes at a time. */
export function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const taken = writeSome(descriptor, bytes, written);
    if (taken === 0) Bun.sleepSync(FULL_PIPE_MS);
    written += taken;
  }
}

/** How many bytes were taken; none by a pipe that is full. */
function writeSome(descriptor: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(descriptor, bytes, from);
  } catch (error) {
    if (isCode(error, "EAGAIN")) return 0;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function printStatus(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Integers keep every digit. */
export function printJson(value: unknown): void {
  print(escapeControlsInJson(writeJson(value, 2)));
}

/** A JSON array that is printed as its members come. */
export function startJsonArray(): { add(values: readonly unknown[]): void; end(): void } {
  let separator = "[\n";
  return {
    add(values) {
      for (const value of values) {
        printPart(separator + escapeControlsInJson(writeJson(value, 2)).replaceAll(/^/gm, "  "));
        separator = ",\n";
      }
    },
    end: () => printPart(separator === "[\n" ? "[]\n" : "\n]\n"),
  };
}
