/** Median, minimum and maximum of a figure's rounds. */
export interface Summary {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (position: number) => sorted[Math.floor(position)] ?? Number.NaN;
  const middle = (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
  return { middle, low: Math.min(...sorted), high: Math.max(...sorted) };
}

/** Figures by round. */
type Rounds = ReadonlyMap<number, number>;

/** Summary of each round's ratio, because a slow round slows both. A round that one of them lacks is left out. */
export function ratios(values: Rounds, others: Rounds): Summary {
  return summarize(
    [...values].flatMap(([round, value]) => (others.has(round) ? [value / (others.get(round) ?? 0)] : [])),
  );
}
