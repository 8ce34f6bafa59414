export type Progress = ReturnType<typeof startProgress>;

const BAR_WIDTH = 24;
const REDRAW_MS = 100;

/**
 * Shows a progress line on a terminal, with a bar, the count and the rate. If the total or the finished share is known, the line
 * also shows the remaining time.
 */
export function startProgress(title: string, total?: number) {
  const { isTTY } = process.stderr;
  const startedAt = performance.now();
  let started: { readonly done: number; readonly share: number } | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;

  function draw(done: number, share: number | undefined) {
    started ??= { done, share: share ?? 0 };
    const now = performance.now();
    if (now - drawnAt < REDRAW_MS && share !== 1) return;
    drawnAt = now;
    const seconds = (now - startedAt) / 1000;
    const rate = Math.round((done - started.done) / Math.max(seconds, 0.001));
    const numbers = `${formatCount(done)}${total === undefined ? "" : `/${formatCount(total)}`} ${formatCount(rate)}/s`;
    const parts = share === undefined ? [title, numbers] : [title, bar(share), numbers];
    const progressed = share === undefined ? 0 : share - started.share;
    if (share !== undefined && progressed > 0)
      parts.push(`${Math.ceil(((1 - share) / progressed) * seconds)} s left`);
    process.stderr.write(`\r\x1b[K${parts.join(" ")}`);
  }

  return {
    /** Redraws the progress line. `share` is the finished share, from 0 to 1; by default, it is `done` divided by the total. */
    update: (done: number, share = shareOf(done, total)) => void (isTTY && draw(done, share)),
    end: () => void (isTTY && process.stderr.write("\r\x1b[K")),
  };
}

function shareOf(done: number, total: number | undefined): number | undefined {
  if (total === undefined) return undefined;
  return total === 0 ? 1 : Math.min(1, done / total);
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}
