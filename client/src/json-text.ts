const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

/** A place in a JSON text that moves to its end, one token at a time. */
export interface JsonText {
  /** Whether the next thing is this mark; then it is behind us. */
  meets(mark: string): boolean;
  /** @throws SyntaxError when the next thing is another one */
  expectMark(mark: string): void;
  /** @throws SyntaxError when there is more */
  expectEnd(): void;
  /** A string with its quotes and escapes; undefined when the next thing is none. */
  takeString(): string | undefined;
  takeNumber(): string | undefined;
  takeWord(): string | undefined;
  fault(expected: string): SyntaxError;
}

export function scanText(text: string): JsonText {
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }
  function meets(mark: string): boolean {
    take(SPACE);
    const isThere = text[at] === mark;
    if (isThere) at++;
    return isThere;
  }
  function fault(expected: string): SyntaxError {
    return new SyntaxError(`Expected ${expected} at ${at}.`);
  }

  return {
    meets,
    fault,
    expectMark(mark) {
      if (!meets(mark)) throw fault(mark);
    },
    expectEnd() {
      take(SPACE);
      if (at < text.length) throw fault("the end");
    },
    takeString() {
      take(SPACE);
      if (text[at] !== '"') return undefined;
      const end = endOfString(text, at);
      const quoted = text.slice(at, end + 1);
      at = end + 1;
      return quoted;
    },
    takeNumber: () => take(NUMBER),
    takeWord: () => take(WORD),
  };
}

/** By hand, because a pattern for it runs out of stack on a long one. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end > 0 && isEscaped(text, end));
  if (end < 0) throw new SyntaxError(`The string at ${start} does not end.`);
  return end;
}

/** Whether an odd number of backslashes stands before this place. */
function isEscaped(text: string, place: number): boolean {
  let at = place;
  while (text[at - 1] === "\\") at--;
  return (place - at) % 2 === 1;
}
