import { Gauge, type Registry } from "prom-client";
import type { Maybe } from "../../platform/maybe.ts";

/**
 * Registers a gauge that is read at each scrape. A failed reading leaves it out, so that the others are still reported.
 *
 * @param aggregator function that combines the values of several processes; left out, their sum
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

/** Registers a gauge with a value for each `label`. All processes read the same store, so the highest value is reported. */
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
