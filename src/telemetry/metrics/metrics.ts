import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { KEY_OUTCOMES, type KeyOutcome } from "../../keys/verify-key.ts";
import { DEPRECATED_CALLERS_MAX } from "../../limits.ts";
import type { QueueStats } from "../../messages/queue-stats.ts";
import { createRequestMetrics } from "./request-metrics.ts";

const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** What an operator watches, in the Prometheus text format. `docs/operating/README.md` says what each is good for. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: createRequestMetrics(registry),
    countDeprecated: createDeprecatedCalls(registry),
    responseCache: new Counter({
      name: "petstore_page_cache_total",
      help: "Answers that were there already (hit), and answers that were kept for the next who asks (kept).",
      labelNames: ["service", "outcome"],
      registers,
    }),
    rejectedRequests: new Counter({
      name: "petstore_requests_shed_total",
      help: "Requests refused with 503 because as many as may be were under way.",
      registers,
    }),
    countKeyCheck: createKeyCounts(registry),
    storage: createStorageMetrics(registry),
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
export function registerRequestsInFlight({ registry }: Metrics, count: () => number): void {
  new Gauge({
    name: "petstore_requests_in_flight",
    help: "Requests that are being worked on.",
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}

/** Whoever calls what is about to end, by the key's identifier and name; bounded, because anybody may make keys. */
function createDeprecatedCalls(registry: Registry) {
  const calls = new Counter({
    name: "petstore_deprecated_requests_total",
    help: "Calls of deprecated operations, by the key that made them.",
    labelNames: ["service", "operation", "key", "key_name"],
    registers: [registry],
  });
  const known = new Set<string>();
  return (service: string, operation: string, caller?: { keyId: string; keyName: string }): void => {
    const key = caller?.keyId ?? "none";
    const isCounted = known.size < DEPRECATED_CALLERS_MAX || known.has(key);
    if (isCounted) known.add(key);
    const labels = isCounted
      ? { key, key_name: caller?.keyName ?? "none" }
      : { key: "other", key_name: "other" };
    calls.inc({ service, operation, ...labels });
  };
}

/** Counted in plain numbers: it is done for every request. */
function createKeyCounts(registry: Registry) {
  const counts: Record<KeyOutcome, number> = { hit: 0, miss: 0, malformed: 0 };
  new Counter({
    name: "petstore_key_checks_total",
    help: "Keys that were remembered (hit), looked up in the database (miss), or refused by their checksum alone (malformed).",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of KEY_OUTCOMES) this.inc({ outcome }, counts[outcome]);
    },
  });
  return (outcome: KeyOutcome): void => {
    counts[outcome]++;
  };
}

/** What a database tells of its commits, and of who waits for a connection to it. */
function createStorageMetrics(registry: Registry) {
  const registers = [registry];
  const work = new Histogram({
    name: "petstore_commit_batch_size",
    help: "Pieces of work that shared one commit.",
    labelNames: ["database"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const duration = new Histogram({
    name: "petstore_commit_duration_seconds",
    help: "What it took for a commit to be on disk; of a single statement on a database server, the statement included.",
    labelNames: ["database"],
    buckets: COMMIT_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: "petstore_pool_wait_seconds",
    help: "Waits for a connection to the database server, of those who had to wait.",
    labelNames: ["database", "pool"],
    buckets: WAIT_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: "petstore_pool_refusals_total",
    help: "Those who waited in vain for a connection to the database server, or found too many waiting: each is a 503.",
    labelNames: ["database", "pool"],
    registers,
  });
  return (database: string, pools: readonly string[]) => {
    work.zero({ database });
    duration.zero({ database });
    const [works, durations] = [work.labels(database), duration.labels(database)];
    for (const pool of pools) {
      waits.zero({ database, pool });
      refusals.inc({ database, pool }, 0);
    }
    return {
      onCommit(size: number, seconds: number): void {
        works.observe(size);
        durations.observe(seconds);
      },
      onWait(pool: string, seconds: number, isAdmitted: boolean): void {
        waits.observe({ database, pool }, seconds);
        if (!isAdmitted) refusals.inc({ database, pool });
      },
    };
  };
}

/** What waits to be delivered: asked each time somebody looks, and left out when the answer cannot be had. */
export function registerQueueStats({ registry }: Metrics, read: () => Promise<QueueStats>): void {
  let reading: Promise<QueueStats | undefined> | undefined;
  /** One look at the queue answers for everything that is told of it. */
  function ask(): Promise<QueueStats | undefined> {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  function gauge(name: string, help: string, of: (queue: QueueStats) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      // Every process sees the same queue.
      aggregator: "max",
      async collect() {
        const queue = await ask();
        if (queue === undefined) this.remove();
        else this.set(of(queue));
      },
    });
  }
  gauge("petstore_message_queue_depth", "Messages that wait to be delivered.", ({ depth }) => depth);
  gauge(
    "petstore_message_queue_oldest_seconds",
    "Since the oldest message that waits to be delivered was submitted.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge(
    "petstore_message_queue_overdue_seconds",
    "How late the next delivery is; one that waits for its retry is not late.",
    ({ overdueSeconds }) => overdueSeconds,
  );
}
