import { AggregatorRegistry, Counter, Registry } from "prom-client";
import { asOperator } from "../accounts/accounts.ts";
import { isColourless } from "../config/environment.ts";
import type { Config } from "../config.ts";
import type { ServiceName } from "../context.ts";
import { systemClock } from "../platform/clock.ts";
import { CHANNELS, type ChangeFeed } from "../storage/change-feed.ts";
import { migrateAll, openChangeFeed, openDatabase } from "../storage/open.ts";
import { createLogger, type Logger, lineFormat } from "../telemetry/logger.ts";
import { bindAddressesFor, type Listener, listen, listenOnAll, metricsBindAddresses } from "./listener.ts";
import { createMetricsServer } from "./metrics-server.ts";
import type { Running } from "./serve.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/**
 * Runs several worker processes that share the same ports (`SO_REUSEPORT`). The kernel distributes connections among them. A worker
 * that hangs is killed, and a worker that has ended is started again after a pause, which grows each time. `reload` replaces the
 * workers one by one: each is stopped when its successor is serving. The supervisor receives the database's announcements of
 * changes for all workers.
 *
 * @throws StartError if a port is in use, or if a worker does not start
 */
export async function supervise(config: Config, names: readonly ServiceName[]): Promise<Running> {
  const log = createLogger(config.logLevel, await lineFormat(isColourless()));
  const listeners = await probe(config, names);
  const registry = new Registry();
  const ends = new Counter({
    name: "petstore_worker_ends_total",
    help: "Number of worker processes that ended unexpectedly.",
    registers: [registry],
  });
  const changes = requireChangeFeed(config);
  const pool = createWorkerPool({
    spawnWorker: () => startWorker({ listeners, log, receivedUpTo: changes.receivedUpTo }),
    log,
    clock: systemClock,
    onUnexpectedEnd: () => ends.inc(),
  });
  const metricsServer = createMetricsServer(config.metricsHost, () => aggregate(pool.workers(), registry));
  const metricsListeners = metricsBindAddresses(config, names).map((address) =>
    listen(address, metricsServer),
  );

  async function stop() {
    log.info("stopping");
    await pool.stop();
    await changes.close();
    await Promise.all(metricsListeners.map((listener) => listener.stop()));
    log.info("stopped");
    await log.flush();
  }
  async function reload() {
    log.info("replacing the workers one by one");
    await pool.rollingRestart();
    log.info("replaced");
  }

  try {
    // Migrations run before the workers start, because waiting for a lock may take longer than the time that a worker has to start.
    await migrateAll(config);
    await forwardChanges(changes, pool);
    await pool.start(config.processes);
  } catch (error) {
    await stop();
    throw error;
  }
  const all: readonly Listener[] = [...listeners, ...metricsListeners];
  await checkConnectionMigration(log);
  return {
    listeners: all,
    log,
    async asOperator(work) {
      const accounts = await openDatabase("accounts", config);
      return asOperator(accounts, work).finally(() => accounts.close());
    },
    stop,
    reload: once(reload, log),
  };
}

/**
 * Opens the feed of changes that the database server announces.
 *
 * @throws TypeError for embedded databases, because only one process can serve them
 */
function requireChangeFeed(config: Config): ChangeFeed {
  const changes = openChangeFeed(config);
  if (changes === undefined)
    throw new TypeError("Only one process can serve a store without a database server.");
  return changes;
}

async function forwardChanges(changes: ChangeFeed, pool: WorkerPool) {
  for (const channel of CHANNELS)
    await changes.subscribe(channel, (payload) => pool.broadcast({ kind: "change", channel, payload }));
}

const MIGRATION_SETTING = "/proc/sys/net/ipv4/tcp_migrate_req";

/**
 * Warns if Linux's setting `tcp_migrate_req` is 0. With this value, Linux resets the connections that are waiting at a worker's
 * port when the worker closes the port.
 */
async function checkConnectionMigration(log: Logger) {
  const setting = await Bun.file(MIGRATION_SETTING)
    .text()
    .catch(() => "");
  if (setting.trim() !== "0") return;
  log.warn(
    "set the kernel setting net.ipv4.tcp_migrate_req=1; otherwise, new connections may be reset when workers are replaced",
  );
}

/**
 * Opens and closes every port, so that a port in use causes a single error, and not one error in each worker. A port number 0 is
 * replaced by a free port, which all workers then use.
 *
 * @returns the listeners of the services
 */
async function probe(config: Config, names: readonly ServiceName[]): Promise<readonly Listener[]> {
  const refuseAll = { fetch: async () => new Response(null, { status: 503 }) };
  const addresses = [...bindAddressesFor(config, names), ...metricsBindAddresses(config, names)];
  const found = await listenOnAll(addresses, (address) => listen(address, refuseAll));
  await Promise.all(found.map((listener) => listener.stop()));
  return found.filter(({ name }) => name !== "metrics");
}

async function aggregate(workers: readonly WorkerProcess[], own: Registry) {
  const readings = await Promise.all(workers.map((worker) => worker.metrics().catch(() => undefined)));
  const counted = [...readings.filter((one) => one !== undefined), await own.getMetricsAsJSON()];
  const registry = AggregatorRegistry.aggregate(counted);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Wraps a function so that it never runs twice at the same time: a call during a run waits for that run. Errors are logged. */
function once(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work()
      .catch((error: unknown) =>
        log.error(
          { err: error },
          "some workers could not be replaced, and still run the earlier version; send SIGHUP again",
        ),
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
