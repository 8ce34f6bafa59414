/** One line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its line break. */
  readonly bytes: Uint8Array;
  /** Its line break: LF, CR LF, or none at the end of the file. */
  readonly ending: "\n" | "\r\n" | "";
  /** Where the next one begins: how much of the file has been seen, in bytes. */
  readonly end: number;
}

/** Nothing more can be read of the file, and what was read so far stands. The message says where and why. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of a file as they come; no more of it is held than the line that is being read.
 *
 * @throws UnreadableFileError for a line longer than `maxBytes`
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void, void> {
  let number = 0;
  let end = 0;
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, start)) {
      const hasReturn = at > start && bytes[at - 1] === CR;
      number++;
      end += at + 1 - start;
      const line = bytes.subarray(start, hasReturn ? at - 1 : at);
      yield { number, bytes: line, ending: hasReturn ? "\r\n" : "\n", end };
      start = at + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxBytes)
      throw new UnreadableFileError(`Line ${number + 1} is longer than ${maxBytes} bytes.`);
  }
  if (rest.length > 0) yield { number: number + 1, bytes: rest, ending: "", end: end + rest.length };
}
