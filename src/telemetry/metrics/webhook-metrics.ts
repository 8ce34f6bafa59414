import type { Registry } from "prom-client";
import { createStoreGauge } from "./store-gauge.ts";

/** The deliveries of an environment's events. */
interface WebhookReading {
  readonly waiting: number;
  readonly lagSeconds: number;
}

type Read = () => Promise<WebhookReading>;

export function createWebhookMetrics(registry: Registry) {
  const readings = new Map<string, Read>();
  createStoreGauge(registry, readings, {
    name: "petstore_webhook_deliveries_waiting",
    help: "Deliveries that wait, retries included.",
    of: ({ waiting }) => waiting,
  });
  createStoreGauge(registry, readings, {
    name: "petstore_webhook_lag_seconds",
    help: "Age of the oldest delivery that waits, or event that has no delivery yet: how far the slowest webhook is behind.",
    of: ({ lagSeconds }) => lagSeconds,
  });
  return (environment: string, read: Read): void => void readings.set(environment, read);
}
