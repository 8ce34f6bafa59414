import { Gauge, type Registry } from "prom-client";

/** The deliveries of an environment's events. */
interface WebhookReading {
  readonly waiting: number;
  readonly lagSeconds: number;
}

interface WebhookGauge {
  readonly name: string;
  readonly help: string;
  readonly of: (reading: WebhookReading) => number;
}

const GAUGES: readonly WebhookGauge[] = [
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
];

/**
 * Gauges of each environment's webhooks, read when the metrics are; a reading that fails leaves its environment out. Of several
 * processes, which read the same store, the highest counts.
 *
 * @returns registers an environment
 */
export function createWebhookMetrics(registry: Registry) {
  const readings = new Map<string, () => Promise<WebhookReading>>();
  for (const { name, help, of } of GAUGES) {
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
  return (environment: string, read: () => Promise<WebhookReading>): void =>
    void readings.set(environment, read);
}
