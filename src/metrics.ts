import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { createRequestMetrics } from "./request-metrics.ts";

/** What an operator watches, in the Prometheus text format. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: createRequestMetrics(registry),
    deprecatedRequests: new Counter({
      name: "petstore_deprecated_requests_total",
      help: "Calls of deprecated operations, by the key that made them.",
      labelNames: ["service", "operation", "key"],
      registers,
    }),
    pages: new Counter({
      name: "petstore_page_cache_total",
      help: "Answers that were there already (hit), and answers that were kept for the next who asks (kept).",
      labelNames: ["service", "outcome"],
      registers,
    }),
    shed: new Counter({
      name: "petstore_requests_shed_total",
      help: "Requests refused with 503 because as many as may be were under way.",
      registers,
    }),
    commitBatch: new Histogram({
      name: "petstore_commit_batch_size",
      help: "Pieces of work that shared one commit.",
      labelNames: ["database"],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
      registers,
    }),
    deliveries: new Counter({
      name: "petstore_message_deliveries_total",
      help: "Delivery attempts, by how they ended.",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** One reading of everything that is counted. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

export async function readMetrics({ registry }: Metrics): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Requests that are being worked on at this moment. */
export function watchInFlight({ registry }: Metrics, count: () => number): void {
  new Gauge({
    name: "petstore_requests_in_flight",
    help: "Requests that are being worked on.",
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}

/** Messages that wait to be delivered: asked each time somebody looks, and left out when the answer cannot be had. */
export function watchQueueDepth({ registry }: Metrics, readDepth: () => Promise<number>): void {
  new Gauge({
    name: "petstore_message_queue_depth",
    help: "Messages that wait to be delivered.",
    registers: [registry],
    // Every process sees the same queue.
    aggregator: "max",
    async collect() {
      const depth = await readDepth().catch(() => undefined);
      if (depth === undefined) this.reset();
      else this.set(depth);
    },
  });
}
