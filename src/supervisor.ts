import type { Subprocess } from "bun";
import { AggregatorRegistry, Counter, Registry } from "prom-client";
import { type Config, supervisedEnvironment } from "./config.ts";
import { createOperations } from "./http/operations.ts";
import {
  METRICS_DEADLINE_MS,
  WORKER_END_DEADLINE_MS,
  WORKER_RESTART_MAX_MS,
  WORKER_RESTART_MIN_MS,
  WORKER_START_DEADLINE_MS,
  WORKER_STEADY_MS,
} from "./limits.ts";
import { type Listener, listen, operationsPlaces, placesFor, StartError } from "./listen.ts";
import { createLogger, type Logger } from "./log.ts";
import type { Running } from "./serve.ts";
import type { ServiceName } from "./service-name.ts";

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "metrics"; readonly metrics: object };

interface Worker {
  readonly process: Subprocess;
  readonly startedAt: number;
  readonly ready: Promise<void>;
  /** What it counts, as JSON; undefined when it does not answer in time. */
  metrics(): Promise<object | undefined>;
}

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
  const slots: (Worker | undefined)[] = [];
  const alive = new Set<Worker>();
  const registry = new Registry();
  const ends = new Counter({
    name: "petstore_worker_ends_total",
    help: "Serving processes that ended although nobody had told them to.",
    registers: [registry],
  });
  let isStopping = false;

  function start(): Worker {
    const worker = startWorker(listeners);
    alive.add(worker);
    worker.process.exited.then(() => alive.delete(worker));
    return worker;
  }

  /** Has a worker take a slot; whenever one there ends, another is started after a pause that grows. */
  function seat(slot: number, worker: Worker, pauseMs = WORKER_RESTART_MIN_MS): void {
    slots[slot] = worker;
    worker.process.exited.then(async (code) => {
      if (isStopping || slots[slot] !== worker) return;
      ends.inc();
      log.error({ slot, code, pauseMs }, "a worker ended; another is started");
      const wasSteady = performance.now() - worker.startedAt > WORKER_STEADY_MS;
      await refill(slot, worker, wasSteady ? WORKER_RESTART_MIN_MS : pauseMs);
    });
  }

  async function refill(slot: number, dead: Worker, pauseMs: number): Promise<void> {
    await Bun.sleep(pauseMs);
    if (isStopping || slots[slot] !== dead) return;
    const next = Math.min(2 * pauseMs, WORKER_RESTART_MAX_MS);
    try {
      seat(slot, start(), next);
    } catch (error) {
      log.error({ slot, err: error }, "a worker could not be started");
      await refill(slot, dead, next);
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    log.info("stopping");
    await Promise.all([...alive].map(end));
    await Promise.all(operations.map((listener) => listener.stop()));
    log.info("stopped");
  }

  async function reload(): Promise<void> {
    log.info("replacing the workers one by one");
    for (const slot of slots.keys()) await replace(slot);
    log.info("replaced");
  }

  /** Whoever serves goes on until the successor does; one that does not come up takes nobody's place. */
  async function replace(slot: number): Promise<void> {
    if (isStopping) return;
    const successor = start();
    try {
      await successor.ready;
    } catch (error) {
      await end(successor);
      throw error;
    }
    const leaving = slots[slot];
    seat(slot, successor);
    if (leaving !== undefined) await end(leaving);
  }

  const metrics = createOperations(() => aggregate(slots, registry));
  const operations = operationsPlaces(config, names).map((place) => listen(place, metrics));
  try {
    for (let slot = 0; slot < config.processes; slot++) seat(slot, start());
    await Promise.all(slots.map((worker) => worker?.ready));
  } catch (error) {
    await stop();
    throw error;
  }
  const all: readonly Listener[] = [...listeners, ...operations];
  await adviseOnMigration(log);
  for (const { name, address } of all) log.info({ service: name, address }, "listening");
  return { listeners: all, stop, reload: once(reload, log) };
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
    for (const place of placesFor(config, names)) found.push(listen(place, nobody));
  } finally {
    await Promise.all(found.map((listener) => listener.stop()));
  }
  return found;
}

/** This very program once more, told its ports and who it works for. */
function startWorker(listeners: readonly Listener[]): Worker {
  const ready = Promise.withResolvers<void>();
  const asked: ((metrics: object | undefined) => void)[] = [];
  const portFlags = listeners.flatMap(({ name, port }) => [`--${name}-port`, String(port)]);
  const child = Bun.spawn([process.execPath, Bun.main, ...process.argv.slice(2), ...portFlags], {
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

/** Ends a worker as it wishes, or as it does not wish when it takes too long. */
async function end({ process: child }: Worker): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), WORKER_END_DEADLINE_MS);
  await child.exited;
  clearTimeout(timer);
}

/** What all workers count together, and what their supervisor counts of them. */
async function aggregate(slots: readonly (Worker | undefined)[], own: Registry) {
  const answers = await Promise.all(slots.map((worker) => worker?.metrics().catch(() => undefined)));
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
