import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Maybe } from "../../platform/maybe.ts";

/**
 * Registers a gauge that is read at each scrape. If reading the gauge fails, it is left out, and the other metrics are still
 * reported.
 *
 * @param aggregator says how the values of several processes are combined; if left out, they are added
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
 * Registers a gauge that has one value for each value of `label`. All processes read the same store, so the highest of their values
 * is reported, not the sum.
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
 * Creates a counter that is a plain number between scrapes. The `inc` of prom-client is not used, because it joins the labels at
 * each call (0.2 µs).
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
 * Creates a histogram that consists of plain numbers between scrapes. The `observe` of prom-client is not used, because it formats
 * the bucket's upper bound at each call (2 µs).
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
    /** Number of values in each bucket. The last bucket is for values that are higher than all bounds. */
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
