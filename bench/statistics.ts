/** A value of each round: the middle, the smallest and the largest. */
export interface Summary {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

export function summarize(values: readonly number[]): Summary {
  return { middle: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** The ratio of each round: what slows the machine for a whole round slows both. A round that one of them lacks does not count. */
export function ratios(values: readonly number[], others: readonly number[]): Summary {
  return summarize(
    values.slice(0, others.length).map((value, round) => value / (others[round] ?? Number.NaN)),
  );
}

/** The difference of the largest and the smallest, as a share of the middle. */
export function spreadOf({ middle, low, high }: Summary): number {
  return (high - low) / middle;
}
