/** Progress on standard error: one line that is rewritten on a terminal, else one line a step. */
export interface Progress {
  step(text: string): void;
  /** A part of the step; shown on terminals only. */
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
