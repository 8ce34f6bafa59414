import { Counter, Histogram, Registry } from "prom-client";
import { createQueueMetrics } from "./delivery-metrics.ts";
import { createPlainCounter, createPlainHistogram, registerGauge } from "./instruments.ts";

const DEPRECATED_CALLERS_MAX = 1_000; // maximum number of API keys that get their own series in a metric; the other keys share one series

const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** Creates all Prometheus metrics, and the registry that contains them. The help text of each metric describes it. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requestCounts: createPlainCounter(
      registry,
      "petstore_requests_total",
      "Number of answered requests, by service, operation and status.",
      ["service", "operation", "status"],
    ),
    requestDurations: createPlainHistogram(
      registry,
      "petstore_request_duration_seconds",
      "Time from a request's arrival to its response.",
      ["service", "operation"],
      REQUEST_SECONDS,
    ),
    countDeprecated: createDeprecatedCalls(registry),
    responseCacheCounts: createPlainCounter(
      registry,
      "petstore_page_cache_total",
      "Number of responses that were served from the response cache (hit) or stored in the cache (kept).",
      ["service", "outcome"],
    ),
    rejectedRequests: new Counter({
      name: "petstore_requests_shed_total",
      help: "Number of requests refused with 503 because too many requests were in progress.",
      registers,
    }),
    shareRefusals: new Counter({
      name: "petstore_key_share_refusals_total",
      help: "Number of requests refused with 429 because their API key had reached its limit in one process: the limit for event streams, for concurrent requests, or for searches and large pages (answers).",
      labelNames: ["share"],
      registers,
    }),
    countKeyCheck: createKeyChecks(registry),
    storage: createStorageMetrics(registry),
    deliveryCounts: new Counter({
      name: "petstore_deliveries_total",
      help: "Number of attempts to deliver a message, an event or an email, by outcome.",
      labelNames: ["source", "outcome"],
      registers,
    }),
    registerQueue: createQueueMetrics(registry),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

export async function readMetrics({ registry }: Metrics): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}

export function registerLoad(
  { registry }: Metrics,
  requestsInFlight: () => number,
  unsentBytes: () => number,
) {
  registerGauge(
    registry,
    "petstore_requests_in_flight",
    "Number of requests in progress that count towards the limit of concurrent requests.",
    requestsInFlight,
  );
  registerGauge(
    registry,
    "petstore_unsent_bytes",
    "Bytes of large responses that clients have not read yet. If this value is near 64 MiB, further large responses are refused.",
    unsentBytes,
  );
}

/**
 * Counts the calls of deprecated operations by each API key. The number of keys with their own series is limited, because every
 * account can create keys.
 */
function createDeprecatedCalls(registry: Registry) {
  const createCount = createPlainCounter(
    registry,
    "petstore_deprecated_requests_total",
    `Number of calls to deprecated operations, by API key. If more than ${DEPRECATED_CALLERS_MAX} keys call them, the other keys are counted together as "other".`,
    ["service", "operation", "key", "key_name"],
  );
  const counts = new Map<string, { value: number }>();
  const known = new Set<string>();
  return (service: string, operation: string, caller?: { keyId: string; keyName: string }) => {
    const { keyId, keyName } = caller ?? { keyId: "none", keyName: "none" };
    const hasOwnSeries = known.size < DEPRECATED_CALLERS_MAX || known.has(keyId);
    if (hasOwnSeries) known.add(keyId);
    const key = hasOwnSeries ? keyId : "other";
    const name = `${service} ${operation} ${key}`;
    const key_name = hasOwnSeries ? keyName : key;
    const count = counts.get(name) ?? createCount({ service, operation, key, key_name });
    counts.set(name, count);
    count.value++;
  };
}

function createKeyChecks(registry: Registry) {
  const createCount = createPlainCounter(
    registry,
    "petstore_key_checks_total",
    "Number of checks of API keys, by result: found in the cache (hit), looked up in the database (miss), or refused because of a wrong checksum (malformed).",
    ["outcome"],
  );
  const counts = {
    hit: createCount({ outcome: "hit" }),
    miss: createCount({ outcome: "miss" }),
    malformed: createCount({ outcome: "malformed" }),
  };
  return (outcome: keyof typeof counts) => {
    counts[outcome].value++;
  };
}

function createStorageMetrics(registry: Registry) {
  const registers = [registry];
  const batchSize = new Histogram({
    name: "petstore_commit_batch_size",
    help: "Number of transactions that shared one commit.",
    labelNames: ["database"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const duration = new Histogram({
    name: "petstore_commit_duration_seconds",
    help: "Time until a commit is on disk. On a database server, a statement outside a transaction counts as a commit too.",
    labelNames: ["database"],
    buckets: COMMIT_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: "petstore_pool_wait_seconds",
    help: "Time that requests waited for a connection to the database server. Requests that get a connection at once are not counted.",
    labelNames: ["database", "pool"],
    buckets: WAIT_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: "petstore_pool_refusals_total",
    help: "Number of requests that were refused with 503, because they waited too long for a connection to the database server, or because too many requests were waiting.",
    labelNames: ["database", "pool"],
    registers,
  });
  return (database: string, pools: readonly string[]) => {
    batchSize.zero({ database });
    duration.zero({ database });
    const [batchSizes, durations] = [batchSize.labels(database), duration.labels(database)];
    for (const pool of pools) {
      waits.zero({ database, pool });
      refusals.inc({ database, pool }, 0);
    }
    return {
      onCommit(size: number, seconds: number) {
        batchSizes.observe(size);
        durations.observe(seconds);
      },
      onWait(pool: string, seconds: number, isAcquired: boolean) {
        waits.observe({ database, pool }, seconds);
        if (!isAcquired) refusals.inc({ database, pool });
      },
    };
  };
}
