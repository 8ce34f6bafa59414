/** Buckets for each doubling of the latency: the error is at most 1.6 %. */
const BUCKETS_PER_DOUBLING = 64;
/** Up to 2^26 µs, about a minute. */
const DOUBLINGS = 26;

export interface Histogram {
  add(micros: number): void;
  /** Microseconds. */
  quantile(share: number): number;
  readonly count: () => number;
}

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
