import type { Registry } from "prom-client";
import { registerGaugeBy } from "./instruments.ts";

interface QueueReading {
  readonly queued: number;
  readonly lagSeconds: number;
  readonly overdueSeconds: number;
}

/**
 * Creates the gauges for delivery queues. If a queue cannot be read, its values are omitted.
 *
 * @returns a function that adds a queue
 */
export function createQueueMetrics(registry: Registry) {
  const readings = new Map<string, () => Promise<QueueReading>>();
  function gauge(name: string, help: string, member: keyof QueueReading) {
    registerGaugeBy(registry, "source", name, help, async () => {
      const values: [string, number][] = [];
      for (const [source, read] of readings) {
        const reading = await read().catch(() => undefined);
        if (reading !== undefined) values.push([source, reading[member]]);
      }
      return values;
    });
  }
  gauge(
    "petstore_deliveries_queued",
    "Number of messages in the queue, or of an environment's event deliveries in the queue, including those that wait for a retry.",
    "queued",
  );
  gauge(
    "petstore_delivery_lag_seconds",
    "Age of the oldest message, delivery or event that has not been delivered yet. This shows how far the slowest destination is behind.",
    "lagSeconds",
  );
  gauge(
    "petstore_delivery_overdue_seconds",
    "Time by which the next delivery attempt is overdue. A message or delivery that waits for its retry is not overdue.",
    "overdueSeconds",
  );
  return (source: string, read: () => Promise<QueueReading>) => void readings.set(source, read);
}
