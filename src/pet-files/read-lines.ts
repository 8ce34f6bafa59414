export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The line break at the end of the line: LF, CR LF or CR. Empty if the last line ends without a line break. */
  readonly ending: "\n" | "\r\n" | "\r" | "";
}

/**
 * Thrown if a file cannot be read any further. The lines that were read are valid. The message gives the reason, and usually the
 * line number.
 */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads the lines of a stream, and keeps only the current line in memory.
 *
 * @param lineBreak the last character of each line break: LF (also for CR LF), or CR, in which case LF is ordinary text
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
