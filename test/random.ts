/** A random number generator with a seed. With the same seed, it makes the same choices in the same order. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  /** Returns true with probability `share`. */
  chance(share: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** Returns an independent generator. Calls of other generators do not change its results. */
  split(): Random;
}

/** Creates a generator that uses Mulberry32, a small algorithm with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    split: () => createRandom(between(0, 2 ** 32 - 1)),
  };
}
