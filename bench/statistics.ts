/** A figure's rounds: the median, the smallest and the largest. */
export interface Summary {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** Of numbers in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { middle: (quantile(sorted, 0.5) + upper) / 2, low: Math.min(...sorted), high: Math.max(...sorted) };
}

/** Figures by round. */
type Rounds = ReadonlyMap<number, number>;

/** The ratio of each round: what slows the machine for a whole round slows both. A round that one of them lacks does not count. */
export function ratios(values: Rounds, others: Rounds): Summary {
  const both = [...values].filter(([round]) => others.has(round));
  return summarize(both.map(([round, value]) => value / (others.get(round) ?? Number.NaN)));
}
