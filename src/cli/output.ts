import { writeSync } from "node:fs";
import { writeJson } from "../contract/json.ts";
import { visibleJson } from "./visible.ts";

/** Results go to standard output, for people as tables and for programs as JSON; everything else to standard error. */

/** Whoever read our standard output has gone, as `head` does: no more is wanted, and nothing needs to be said. */
export class ReaderGoneError extends Error {
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
    if (isCode(error, "EPIPE")) throw new ReaderGoneError("Nobody reads on.", { cause: error });
    throw new Error("The result could not be written to standard output.", { cause: error });
  }
}

/** Every byte, however little a pipe takes at a time. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (!isCode(error, "EAGAIN")) throw error;
      Bun.sleepSync(FULL_PIPE_MS);
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Integers keep every digit. */
export function printJson(value: unknown): void {
  print(visibleJson(writeJson(value, 2)));
}

/** A JSON array that is printed as its members come. */
export function startJsonArray(): { add(values: readonly unknown[]): void; end(): void } {
  let separator = "[\n";
  return {
    add(values) {
      for (const value of values) {
        printPart(separator + visibleJson(writeJson(value, 2)).replaceAll(/^/gm, "  "));
        separator = ",\n";
      }
    },
    end: () => printPart(separator === "[\n" ? "[]\n" : "\n]\n"),
  };
}
