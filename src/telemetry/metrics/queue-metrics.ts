import { Gauge, type Registry } from "prom-client";

/** The messages that wait to be delivered. */
interface QueueReading {
  readonly depth: number;
  readonly oldestSeconds: number;
  readonly overdueSeconds: number;
}

/** The queue is read when the metrics are; a reading that fails leaves its metrics out. */
export function registerQueueMetrics(registry: Registry, read: () => Promise<QueueReading>): void {
  let reading: Promise<QueueReading | undefined> | undefined;
  /** One query for all gauges. */
  function readOnce(): Promise<QueueReading | undefined> {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  function gauge(name: string, help: string, of: (queue: QueueReading) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      // Every process reads the same queue.
      aggregator: "max",
      async collect() {
        const queue = await readOnce();
        if (queue === undefined) this.remove();
        else this.set(of(queue));
      },
    });
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
