export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Characters that end this line of a file: LF, CR LF, CR, or none for the last line. */
  readonly ending: "\n" | "\r\n" | "\r" | "";
}

/** Error: the rest of the file cannot be read; earlier lines are valid. The message says why, and usually at which line. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of a stream. Only the current line is in memory.
 *
 * @param lineBreak LF, alone or after CR; or CR alone, which makes a LF text
 * @throws UnreadableFileError for a line longer than `maxBytes`
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  lineBreak: "\n" | "\r" = "\n",
): AsyncGenerator<Line, void, void> {
  const breakByte = lineBreak.charCodeAt(0);
  let number = 0;
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : concat(rest, chunk);
    let start = 0;
    for (let at = bytes.indexOf(breakByte); at !== -1; at = bytes.indexOf(breakByte, start)) {
      const hasReturn = breakByte === LF && at > start && bytes[at - 1] === CR;
      number++;
      const line = bytes.subarray(start, hasReturn ? at - 1 : at);
      yield { number, bytes: line, ending: hasReturn ? "\r\n" : lineBreak };
      start = at + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxBytes)
      throw new UnreadableFileError(`Line ${number + 1} is longer than ${maxBytes} bytes.`);
  }
  if (rest.length > 0) yield { number: number + 1, bytes: rest, ending: "" };
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
