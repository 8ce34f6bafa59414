import { AggregatorRegistry, Counter, Registry } from "prom-client";
import { type Config, supervisedEnvironment } from "../config.ts";
import type { ServiceName } from "../context.ts";
import { METRICS_DEADLINE_MS, WORKER_START_DEADLINE_MS } from "../limits.ts";
import { selfCommand } from "../platform/executable.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import {
  announce,
  bindAddressesFor,
  type Listener,
  listen,
  metricsBindAddresses,
  StartError,
} from "./listener.ts";
import { createMetricsServer } from "./metrics-server.ts";
import type { Running } from "./serve.ts";
import { createWorkerPool, type WorkerProcess } from "./worker-pool.ts";

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "metrics"; readonly metrics: object };

/**
 * Runs several serving processes on the same ports (`SO_REUSEPORT`): the kernel deals out the connections. One that
 * dies is started again, later and later while it keeps dying; `reload` replaces them one by one, each only once its
 * successor serves.
 *
 * @throws StartError when a port is in use, or the first worker does not come up
 */
export async function supervise(config: Config, names: readonly ServiceName[]): Promise<Running> {
  const log = createLogger(config.logLevel);
  const listeners = await probe(config, names);
  const registry = new Registry();
  const ends = new Counter({
    name: "petstore_worker_ends_total",
    help: "Serving processes that ended although nobody had told them to.",
    registers: [registry],
  });
  const crew = createWorkerPool({
    spawnWorker: () => startWorker(listeners),
    log,
    onUnexpectedEnd: () => ends.inc(),
  });
  const metrics = createMetricsServer(() => aggregate(crew.workers(), registry));
  const operations = metricsBindAddresses(config, names).map((place) => listen(place, metrics));

  async function stop(): Promise<void> {
    log.info("stopping");
    await crew.stop();
    await Promise.all(operations.map((listener) => listener.stop()));
    log.info("stopped");
  }
  async function reload(): Promise<void> {
    log.info("replacing the workers one by one");
    await crew.rollingRestart();
    log.info("replaced");
  }

  try {
    await crew.start(config.processes);
  } catch (error) {
    await stop();
    throw error;
  }
  const all: readonly Listener[] = [...listeners, ...operations];
  await adviseOnMigration(log);
  return { listeners: all, announce: () => announce(all, log), stop, reload: once(reload, log) };
}

const MIGRATION_SETTING = "/proc/sys/net/ipv4/tcp_migrate_req";

/** Linux resets what a closing listener had not taken yet, unless it is told to hand it to the next one. */
async function adviseOnMigration(log: Logger): Promise<void> {
  const setting = await Bun.file(MIGRATION_SETTING)
    .text()
    .catch(() => "");
  if (setting.trim() !== "0") return;
  log.warn(
    "set net.ipv4.tcp_migrate_req=1, or replacing workers may reset connections that were just being made",
  );
}

/** Opens every port for a moment, by itself: one in use is found out here, and a free one is picked for all workers. */
async function probe(config: Config, names: readonly ServiceName[]): Promise<readonly Listener[]> {
  const nobody = { fetch: async () => new Response(null, { status: 503 }) };
  const found: Listener[] = [];
  try {
    for (const place of bindAddressesFor(config, names)) found.push(listen(place, nobody));
  } finally {
    await Promise.all(found.map((listener) => listener.stop()));
  }
  return found;
}

/** This very program once more, told its ports and who it works for. */
function startWorker(listeners: readonly Listener[]): WorkerProcess {
  const ready = Promise.withResolvers<void>();
  const asked: ((metrics: object | undefined) => void)[] = [];
  const portFlags = listeners.flatMap(({ name, port }) => [`--${name}-port`, String(port)]);
  const child = Bun.spawn([...selfCommand(), ...process.argv.slice(2), ...portFlags], {
    env: supervisedEnvironment(),
    stdio: ["ignore", "inherit", "inherit"],
    ipc(message: WorkerMessage) {
      if (message.kind === "ready") ready.resolve();
      else asked.shift()?.(message.metrics);
    },
  });
  const timer = setTimeout(() => {
    ready.reject(new StartError("A worker did not come up in time."));
    child.kill("SIGKILL");
  }, WORKER_START_DEADLINE_MS);
  ready.promise.finally(() => clearTimeout(timer)).catch(() => {});
  child.exited.then((code) => ready.reject(new StartError(`A worker ended with ${code} before it served.`)));
  return {
    process: child,
    startedAt: performance.now(),
    ready: ready.promise,
    async metrics() {
      const { promise, resolve } = Promise.withResolvers<object | undefined>();
      asked.push(resolve);
      setTimeout(() => resolve(undefined), METRICS_DEADLINE_MS);
      child.send({ kind: "metrics" });
      return promise;
    },
  };
}

/** What all workers count together, and what their supervisor counts of them. */
async function aggregate(workers: readonly WorkerProcess[], own: Registry) {
  const answers = await Promise.all(workers.map((worker) => worker.metrics().catch(() => undefined)));
  const counted = [...answers.filter((one) => one !== undefined), await own.getMetricsAsJSON()];
  const registry = AggregatorRegistry.aggregate(counted);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** A second wish while the first is being fulfilled is the same wish. */
function once(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, "the workers were not all replaced"))
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
