import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Maybe } from "../../platform/maybe.ts";

/**
 * Registers a gauge that is read each time the metrics are requested. If it cannot be read, it is omitted, and all other metrics
 * are still reported.
 *
 * @param aggregator how the values of several processes are combined; by default, they are added
 */
export function registerGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Maybe<number>,
  aggregator: "sum" | "min" | "max" = "sum",
): void {
  new Gauge({
    ...{ name, help, aggregator },
    registers: [registry],
    async collect() {
      const value = await attempt(read);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/**
 * Registers a gauge with one value for each value of `label`. All processes read the same store, so if their values differ, the
 * highest one is reported, and not the sum.
 */
export function registerGaugeBy(
  registry: Registry,
  label: string,
  name: string,
  help: string,
  read: () => Maybe<Iterable<readonly [label: string, value: number]>>,
): void {
  new Gauge({
    ...{ name, help, labelNames: [label], aggregator: "max" },
    registers: [registry],
    async collect() {
      const values = await attempt(read);
      this.reset();
      for (const [of, value] of values ?? []) this.set({ [label]: of }, value);
    },
  });
}

async function attempt<Value>(read: () => Maybe<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/**
 * Creates a counter whose values are plain numbers until the metrics are requested. The `inc` of prom-client would be slower,
 * because it joins the labels in each call (0.2 µs).
 */
export function createPlainCounter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
) {
  const counts: { readonly labels: Record<Label, string>; value: number }[] = [];
  new Counter({
    ...{ name, help, labelNames },
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of counts) this.inc(labels, value);
    },
  });
  return (labels: Record<Label, string>): { value: number } => {
    const count = { labels, value: 0 };
    counts.push(count);
    return count;
  };
}

/**
 * Creates a histogram whose values are plain numbers until the metrics are requested. The `observe` of prom-client would be slower,
 * because it formats the upper bound of the bucket in each call (2 µs).
 */
export function createPlainHistogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: readonly number[],
) {
  const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
  const all: ReturnType<typeof createSeries>[] = [];

  function createSeries(labels: Record<Label, string>) {
    /** The number of measured values in each bucket. The last bucket is for values above all bounds. */
    const counts = new Array<number>(buckets.length + 1).fill(0);
    let sum = 0;
    return {
      observe(value: number) {
        let bucket = 0;
        while (value > (buckets[bucket] ?? Infinity)) bucket++;
        counts[bucket] = (counts[bucket] ?? 0) + 1;
        sum += value;
      },
      samples() {
        let count = 0;
        const upTo = counts.map((more, bucket) => {
          count += more;
          return {
            metricName: `${name}_bucket`,
            labels: { le: buckets[bucket] ?? "+Inf", ...labels },
            value: count,
          };
        });
        const total = { metricName: `${name}_count`, labels, value: count };
        return [...upTo, { metricName: `${name}_sum`, labels, value: sum }, total];
      },
    };
  }

  const get = async () => {
    const values = all.flatMap((series) => series.samples());
    return { name, help, type: "histogram", aggregator: "sum", values };
  };
  Object.assign(histogram, { get, getForPromString: get });
  return (labels: Record<Label, string>): ((value: number) => void) => {
    const series = createSeries(labels);
    all.push(series);
    return series.observe;
  };
}
