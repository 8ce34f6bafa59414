import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorMessage } from "../../errors.ts";

const INSPECTED_PIECE_BYTES = 1024 * 1024; // of a file that is read at once to check it

/** Reads every piece of a file, and yields the problem of one that the disk does not give. */
export function* readBytes(file: string): Generator<{ problems: string[]; share: number; size: number }> {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const piece = new Uint8Array(INSPECTED_PIECE_BYTES);
    for (let offset = 0; offset < size; offset += piece.length) {
      const problems: string[] = [];
      try {
        readSync(descriptor, piece, 0, piece.length, offset);
      } catch (error) {
        problems.push(
          `the disk does not give the bytes from ${offset} to ${offset + piece.length}: ${errorMessage(error)}`,
        );
      }
      yield { problems, share: Math.min(1, offset / size), size };
    }
  } finally {
    closeSync(descriptor);
  }
}
