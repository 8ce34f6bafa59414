import { Gauge, type Registry } from "prom-client";

/** What is read of each environment's store. */
export type StoreReadings<Reading> = ReadonlyMap<string, () => Promise<Reading>>;

/**
 * A gauge of each environment's store, read when the metrics are; a reading that fails leaves its environment out. Of several
 * processes, which read the same store, the highest counts.
 */
export function createStoreGauge<Reading>(
  registry: Registry,
  readings: StoreReadings<Reading>,
  {
    name,
    help,
    of,
  }: { readonly name: string; readonly help: string; readonly of: (reading: Reading) => number },
): void {
  new Gauge({
    name,
    help,
    labelNames: ["environment"],
    registers: [registry],
    aggregator: "max",
    async collect() {
      this.reset();
      for (const [environment, read] of readings) {
        const value = await read().then(of, () => undefined);
        if (value !== undefined) this.set({ environment }, value);
      }
    },
  });
}
