/** What the run is doing, on standard error: one line that rewrites itself on a terminal, else one line a step. */
export interface Progress {
  step(text: string): void;
  /** Something that was begun within the step; said on terminals alone. */
  detail(text: string): void;
  warn(text: string): void;
  end(): void;
}

const CLEAR = "\r\u001b[2K";

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const isTerminal = stream.isTTY === true;
  let step = "";
  return {
    step(text) {
      step = text;
      stream.write(isTerminal ? CLEAR + text : `${text}\n`);
    },
    detail(text) {
      if (isTerminal) stream.write(`${CLEAR}${step}: ${text}`);
    },
    warn: (text) => void stream.write(`${isTerminal ? CLEAR : ""}${text}\n`),
    end: () => void (isTerminal && stream.write(CLEAR)),
  };
}
