import type { Registry } from "prom-client";
import { registerGauge, registerGaugeBy } from "./gauges.ts";

interface QueueReading {
  readonly depth: number;
  readonly oldestSeconds: number;
  readonly overdueSeconds: number;
}

export function registerQueueMetrics(registry: Registry, read: () => Promise<QueueReading>): void {
  let reading: Promise<QueueReading> | undefined;
  /** Reads the message queue; concurrent calls share one query, so that all gauges need only one. */
  function readOnce(): Promise<QueueReading> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function gauge(name: string, help: string, of: (queue: QueueReading) => number) {
    // Every process reads the same queue.
    registerGauge(registry, name, help, () => readOnce().then(of), "max");
  }
  gauge("petstore_message_queue_depth", "Messages that wait to be delivered.", ({ depth }) => depth);
  gauge(
    "petstore_message_queue_oldest_seconds",
    "Time since the oldest waiting message was submitted.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge(
    "petstore_message_queue_overdue_seconds",
    "How late the next delivery is; a message that waits for its next retry is not late.",
    ({ overdueSeconds }) => overdueSeconds,
  );
}

interface WebhookReading {
  readonly waiting: number;
  readonly lagSeconds: number;
}

/** Gauges of webhook deliveries. A failed reading leaves its environment out. @returns registers an environment */
export function createWebhookMetrics(registry: Registry) {
  const readings = new Map<string, () => Promise<WebhookReading>>();
  function gauge(name: string, help: string, of: (reading: WebhookReading) => number) {
    registerGaugeBy(registry, "environment", name, help, async () => {
      const values: [string, number][] = [];
      for (const [environment, read] of readings) {
        const value = await read().then(of, () => undefined);
        if (value !== undefined) values.push([environment, value]);
      }
      return values;
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
  return (environment: string, read: () => Promise<WebhookReading>) => void readings.set(environment, read);
}
