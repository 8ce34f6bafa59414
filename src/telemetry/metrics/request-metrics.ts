import type { Metric, Registry } from "prom-client";

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** What is counted of one operation's answers with one status. */
export interface RequestSeries {
  /** @param seconds from the request's arrival to its answer */
  observe(seconds: number): void;
}

interface Labels {
  readonly service: string;
  readonly operation: string;
  readonly status: number;
}

interface Counts {
  readonly labels: Labels;
  /** By bucket; the last one is for what took longer than any. */
  readonly buckets: Float64Array;
  sum: number;
}

/**
 * Requests by service, operation and status, and how long they took. Counted in plain numbers, because it is done for every
 * request, and put into the registry's words when somebody looks.
 */
export function createRequestMetrics(registry: Registry) {
  const all: Counts[] = [];
  register(
    registry,
    "petstore_requests_total",
    "Requests answered, by service, operation and status.",
    "counter",
    () => all.map(({ labels, buckets }) => ({ labels: { ...labels }, value: sumOf(buckets) })),
  );
  register(
    registry,
    "petstore_request_duration_seconds",
    "Time from a request's arrival to its answer.",
    "histogram",
    (name) => [...byOperation(all)].flatMap((counts) => histogramValues(name, counts)),
  );

  return {
    /** The series for these labels; ask once and keep it. */
    series(labels: Labels): RequestSeries {
      const counts: Counts = { labels, buckets: new Float64Array(BUCKETS.length + 1), sum: 0 };
      all.push(counts);
      return {
        observe(seconds) {
          let bucket = 0;
          while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++;
          counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
          counts.sum += seconds;
        },
      };
    },
  };
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** The registry asks a metric for nothing but this; its own classes look their labels up at each count. */
function register(
  registry: Registry,
  name: string,
  help: string,
  type: "counter" | "histogram",
  read: (name: string) => readonly Value[],
): void {
  const metric = {
    name,
    help,
    type,
    aggregator: "sum",
    get: async () => ({ name, help, type, aggregator: "sum", values: read(name) }),
    reset() {},
  };
  registry.registerMetric(metric as unknown as Metric);
}

function byOperation(all: readonly Counts[]): Iterable<Counts> {
  const merged = new Map<string, Counts>();
  for (const { labels, buckets, sum } of all) {
    const name = `${labels.service} ${labels.operation}`;
    const into = merged.get(name) ?? { labels, buckets: new Float64Array(BUCKETS.length + 1), sum: 0 };
    merged.set(name, into);
    into.sum += sum;
    buckets.forEach((count, index) => {
      into.buckets[index] = (into.buckets[index] ?? 0) + count;
    });
  }
  return merged.values();
}

function histogramValues(
  name: string,
  { labels: { service, operation }, buckets, sum }: Counts,
): readonly Value[] {
  let below = 0;
  const cumulative = [...buckets].map((count, index) => {
    below += count;
    return {
      labels: { le: BUCKETS[index] ?? "+Inf", service, operation },
      value: below,
      metricName: `${name}_bucket`,
    };
  });
  return [
    ...cumulative,
    { labels: { service, operation }, value: sum, metricName: `${name}_sum` },
    { labels: { service, operation }, value: below, metricName: `${name}_count` },
  ];
}

function sumOf(buckets: Float64Array): number {
  return buckets.reduce((sum, count) => sum + count, 0);
}
