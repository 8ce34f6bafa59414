/** The median and the quartiles of a figure over all its measurements. */
export interface Summary {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (position: number) => sorted[position] ?? Number.NaN;
  const last = sorted.length - 1;
  const middle = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  const quarter = Math.floor(sorted.length / 4);
  return { middle, low: at(quarter), high: at(last - quarter) };
}

/** The values of a figure, keyed by the number of the measurement. */
export type Slices = ReadonlyMap<number, number>;

/**
 * Summarizes the ratios or differences of two servers. They are calculated for each pair of measurements, because a slow moment
 * slows both servers. If either server lacks a measurement, the pair is left out.
 */
export function summarizePairs(
  values: Slices,
  others: Slices,
  combine: (value: number, other: number) => number,
): Summary {
  return summarize(
    [...values].flatMap(([slice, value]) => {
      const other = others.get(slice);
      return other === undefined ? [] : [combine(value, other)];
    }),
  );
}
