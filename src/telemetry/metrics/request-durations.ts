import { Histogram, type Registry } from "prom-client";

const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Durations {
  readonly labels: Record<"service" | "operation", string>;
  /** Not cumulative; the last is for what is longer than all `REQUEST_SECONDS`. */
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** Plain numbers, as in `createPlainCounter`, which prom-client gets as its own series. */
export function createRequestDurations(registry: Registry) {
  const series: Durations[] = [];
  new Histogram({
    name: "petstore_request_duration_seconds",
    help: "Time from a request's arrival to its response.",
    labelNames: ["service", "operation"],
    buckets: REQUEST_SECONDS,
    registers: [registry],
    collect() {
      const hashMap = series.map(({ labels, buckets, sum, count }) => {
        const bucketValues = Object.fromEntries(
          REQUEST_SECONDS.map((bound, index) => [bound, buckets[index]]),
        );
        return { labels, bucketValues, sum, count };
      });
      Object.assign(this, { hashMap });
    },
  });
  return (service: string, operation: string): ((seconds: number) => void) => {
    const buckets = new Array<number>(REQUEST_SECONDS.length + 1).fill(0);
    const durations: Durations = { labels: { service, operation }, buckets, sum: 0, count: 0 };
    series.push(durations);
    return (seconds) => {
      durations.sum += seconds;
      durations.count++;
      let index = 0;
      while (seconds > (REQUEST_SECONDS[index] ?? Number.POSITIVE_INFINITY)) index++;
      buckets[index] = (buckets[index] ?? 0) + 1;
    };
  };
}
