import { writeSync } from "node:fs";
import { writeJson } from "../../contract/json/json.ts";
import { withPath } from "../../platform/file-errors.ts";
import { escapeControlsInJson } from "./escape-controls.ts";

// Commands print results on standard output, and everything else on standard error.

/**
 * Thrown if the program that reads standard output, such as `head`, has closed the pipe. The command then ends without an error
 * message.
 */
export class BrokenPipeError extends Error {
  override readonly name = "BrokenPipeError";
}

/** Number of milliseconds to wait before another write to a full pipe. */
const FULL_PIPE_MS = 2;

/**
 * Prints a line. @throws Error if the pipe is closed, because the command must not succeed if nobody could read the key that it
 * printed
 */
export function print(text: string): void {
  try {
    writeWhole(process.stdout.fd, `${text}\n`);
  } catch (error) {
    throw new Error("The result could not be written to standard output.", { cause: error });
  }
}

/** Prints a part of a long result. @throws BrokenPipeError */
export function printPart(text: string): void {
  try {
    writeWhole(process.stdout.fd, text);
  } catch (error) {
    throw outputError(error);
  }
}

/**
 * Prints a part of a long result. If the pipe is full, waits until the pipe accepts more or the signal aborts.
 *
 * @throws BrokenPipeError, and the signal's reason
 */
export async function printPartUntilAborted(signal: AbortSignal, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSome(process.stdout.fd, bytes, written);
    } catch (error) {
      throw outputError(error);
    }
    if (written === bytes.length) return;
    signal.throwIfAborted();
    await Bun.sleep(FULL_PIPE_MS);
  }
}

function outputError(error: unknown): Error {
  if (isCode(error, "EPIPE")) return new BrokenPipeError("Standard output is closed.", { cause: error });
  return new Error("The result could not be written to standard output.", { cause: error });
}

/**
 * Writes all bytes of a string. If a pipe or a nearly full disk accepts only some of them, retries with the rest.
 *
 * @param path the path of the file, for an error message
 */
export function writeWhole(descriptor: number, text: string, path?: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const count = withPath(path, () => writeSome(descriptor, bytes, written));
    if (count === 0) Bun.sleepSync(FULL_PIPE_MS);
    written += count;
  }
}

/** Writes as many bytes as the descriptor accepts. @returns the number of bytes written; 0 if the pipe is full */
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

/** Prints JSON without rounding large integers. */
export function printJson(value: unknown): void {
  print(escapeControlsInJson(writeJson(value, 2)));
}

export interface JsonOption {
  readonly json?: true;
}
