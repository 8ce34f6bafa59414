import { Gauge, type Registry } from "prom-client";

/** The deliveries of an environment's events. */
interface WebhookReading {
  readonly waiting: number;
  readonly lagSeconds: number;
}

type Read = () => Promise<WebhookReading>;

/** Both are read when the metrics are; a reading that fails leaves its environment out. */
export function createWebhookMetrics(registry: Registry) {
  const readings = new Map<string, Read>();

  function gauge(name: string, help: string, of: (reading: WebhookReading) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ["environment"],
      registers: [registry],
      // Every process reads the same deliveries.
      aggregator: "max",
      async collect() {
        this.reset();
        for (const [environment, read] of readings) {
          const reading = await read().catch(() => undefined);
          if (reading !== undefined) this.set({ environment }, of(reading));
        }
      },
    });
  }
  gauge(
    "petstore_webhook_deliveries_waiting",
    "Deliveries that wait, retries included.",
    ({ waiting }) => waiting,
  );
  gauge(
    "petstore_webhook_lag_seconds",
    "Age of the oldest delivery that waits, or event that has no delivery yet: how far the slowest webhook is behind.",
    ({ lagSeconds }) => lagSeconds,
  );
  return (environment: string, read: Read): void => void readings.set(environment, read);
}
