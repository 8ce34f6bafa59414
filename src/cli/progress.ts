/** Progress on a terminal: one line that is drawn again. Away from a terminal it says nothing. */
export interface Progress {
  update(done: number): void;
  /** Takes the line away, so that what is written next starts on a clean one. */
  end(): void;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 100;

export function startProgress(title: string, total: number): Progress {
  const { isTTY } = process.stderr;
  const startedAt = performance.now();
  let startedWith: number | undefined;
  let drawnAt = 0;

  function draw(done: number): void {
    startedWith ??= done;
    const now = performance.now();
    if (now - drawnAt < REDRAW_MS && done < total) return;
    drawnAt = now;
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * BAR_WIDTH);
    const rate = ((done - startedWith) / (now - startedAt)) * 1000;
    const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : "";
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const numbers = `${done.toLocaleString("en")}/${total.toLocaleString("en")}`;
    process.stderr.write(
      `\r\x1b[K${title} ${bar} ${numbers} ${Math.round(rate).toLocaleString("en")}/s ${left}`,
    );
  }

  return {
    update: (done) => isTTY && draw(done),
    end: () => void (isTTY && process.stderr.write("\r\x1b[K")),
  };
}
