import { Gauge, type Registry } from "prom-client";

interface StoreGauge<Reading> {
  readonly name: string;
  readonly help: string;
  readonly of: (reading: Reading) => number;
}

/**
 * Gauges of each environment's store, read when the metrics are; a reading that fails leaves its environment out. Of several
 * processes, which read the same store, the highest counts.
 *
 * @returns registers an environment
 */
function createStoreGauges<Reading>(registry: Registry, gauges: readonly StoreGauge<Reading>[]) {
  const readings = new Map<string, () => Promise<Reading>>();
  for (const { name, help, of } of gauges) {
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
  return (environment: string, read: () => Promise<Reading>): void => void readings.set(environment, read);
}

/** The deliveries of an environment's events. */
interface WebhookReading {
  readonly waiting: number;
  readonly lagSeconds: number;
}

export function createWebhookMetrics(registry: Registry) {
  return createStoreGauges<WebhookReading>(registry, [
    {
      name: "petstore_webhook_deliveries_waiting",
      help: "Deliveries that wait, retries included.",
      of: ({ waiting }) => waiting,
    },
    {
      name: "petstore_webhook_lag_seconds",
      help: "Age of the oldest delivery that waits, or event that has no delivery yet: how far the slowest webhook is behind.",
      of: ({ lagSeconds }) => lagSeconds,
    },
  ]);
}
