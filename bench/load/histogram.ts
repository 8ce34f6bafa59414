/** Each doubling of a latency is cut into this many buckets: a reading is at most 1.6 % off. */
const BUCKETS_PER_DOUBLING = 64;
/** Up to 2^26 µs, about a minute. */
const DOUBLINGS = 26;

export interface Histogram {
  add(micros: number): void;
  /** The latency that this share of all readings does not exceed, in microseconds. */
  quantile(share: number): number;
  readonly count: () => number;
}

/** Counts latencies without keeping them one by one. */
export function createHistogram(): Histogram {
  const buckets = new Uint32Array(DOUBLINGS * BUCKETS_PER_DOUBLING);
  let count = 0;
  return {
    add(micros) {
      const at = Math.log2(micros < 1 ? 1 : micros) * BUCKETS_PER_DOUBLING;
      const bucket = Math.min(buckets.length - 1, Math.floor(at));
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count++;
    },
    quantile(share) {
      let left = Math.ceil(count * share);
      const bucket = buckets.findIndex((readings) => {
        left -= readings;
        return left <= 0;
      });
      return 2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING);
    },
    count: () => count,
  };
}
