const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

export type JsonText = ReturnType<typeof scanText>;

/** Creates a cursor that reads JSON text token by token. */
export function scanText(text: string) {
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }
  /** Consumes the next token if it is this punctuation mark, and returns whether it was. */
  function takeMark(mark: string): boolean {
    take(SPACE);
    const isThere = text[at] === mark;
    if (isThere) at++;
    return isThere;
  }
  function fault(expected: string): SyntaxError {
    return new SyntaxError(`Expected ${expected} at ${at}.`);
  }

  return {
    takeMark,
    fault,
    /** Consumes a punctuation mark. @throws SyntaxError if the next token is a different one */
    expectMark(mark: string): void {
      if (!takeMark(mark)) throw fault(mark);
    },
    /** Checks that the text has ended. @throws SyntaxError if another token follows */
    expectEnd(): void {
      take(SPACE);
      if (at < text.length) throw fault("the end");
    },
    /** Consumes a string, and returns it with its quotes and escapes. Returns undefined if the next token is not a string. */
    takeString(): string | undefined {
      take(SPACE);
      if (text[at] !== '"') return undefined;
      const start = at;
      at = endOfString(text, start);
      if (at < 0) throw new SyntaxError(`The string at ${start} does not end.`);
      return text.slice(start, at);
    },
    takeNumber: () => take(NUMBER),
    takeWord: () => take(WORD),
  };
}

const BACKSLASH = 0x5c;

/**
 * Returns the index after the closing quote of the string that begins at `start`, or -1 if there is no closing quote. This is a
 * loop, because a regular expression runs out of stack on a long string.
 */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    const isEscaped = (quote - first) % 2 === 1;
    if (!isEscaped) return quote + 1;
  }
  return -1;
}
