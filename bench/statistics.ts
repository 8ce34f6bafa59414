/** Median, minimum and maximum of a figure's rounds. */
export interface Summary {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** @param sorted ascending */
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

/** Summary of each round's ratio, because a slow round slows both. A round that one of them lacks is left out. */
export function ratios(values: Rounds, others: Rounds): Summary {
  const both = [...values].filter(([round]) => others.has(round));
  return summarize(both.map(([round, value]) => value / (others.get(round) ?? Number.NaN)));
}
