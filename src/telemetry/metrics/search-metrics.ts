import { Gauge, type Registry } from "prom-client";

type Read = () => Promise<number>;

/** Read when the metrics are; a reading that fails leaves its environment out. */
export function createSearchMetrics(registry: Registry) {
  const readings = new Map<string, Read>();
  new Gauge({
    name: "petstore_search_unindexed_pets",
    help: "Animals whose names' words are not in the index yet, removed ones included: a search looks at each of them.",
    labelNames: ["environment"],
    registers: [registry],
    // Every process reads the same index.
    aggregator: "max",
    async collect() {
      this.reset();
      for (const [environment, read] of readings) {
        const waiting = await read().catch(() => undefined);
        if (waiting !== undefined) this.set({ environment }, waiting);
      }
    },
  });
  return (environment: string, read: Read): void => void readings.set(environment, read);
}
