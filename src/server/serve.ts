import { asOperator } from "../accounts/accounts.ts";
import { isColourless } from "../config/environment.ts";
import type { Config } from "../config.ts";
import { type Context, SERVICE_NAMES, type ServiceName } from "../context.ts";
import { leastOpenFiles, openFilesMax } from "../platform/descriptors.ts";
import { createLogger, type Logger, lineFormat, type ProcessLogger } from "../telemetry/logger.ts";
import { registerDroppedLines, registerIdleClosed } from "../telemetry/metrics/process-metrics.ts";
import { type App, createApp, type Overrides } from "./app.ts";
import { bindAddressesFor, type Listener, listen, listenOnAll, metricsBindAddresses } from "./listener.ts";
import { lockServices, type ServiceLocks } from "./service-locks.ts";

export const SHUTDOWN_NOTICE_MS = 300; // time between answering "not ready" and closing the ports, so that load balancers can notice
const CONNECTIONS_MAX = 8_192; // maximum number of connections of a process; if there are more, idle connections are closed
const CONNECTIONS_SHARE = 0.8; // share of the process's limit of open files that connections may use
const CONNECTION_CHECK_MS = 1_000; // interval at which the number of connections is checked

export interface Running {
  readonly listeners: readonly Listener[];
  readonly log: Logger;
  /** Makes `/readyz` answer 503, and then closes the ports. Running requests can finish until the deadline. */
  stop(): Promise<void>;
  /** Runs `work` as the operator of this machine, in one transaction of the accounts database. */
  asOperator<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result>;
  /** Resolves after a fatal disk error, when running requests have been answered. The process must then end immediately. */
  readonly failed?: Promise<void>;
  /** Restarts the worker processes one by one, without refusing any request. Absent if there are no worker processes. */
  reload?(): Promise<void>;
}

/** Replacements for dependencies. Tests use them, and a worker process passes its change feed in this way. */
interface ServeOverrides extends Overrides {
  readonly log?: ProcessLogger;
}

export interface Serving extends Running {
  readonly app: App;
}

/**
 * Starts these services (by default, all services) and opens their ports.
 *
 * @throws StartError if another process already runs one of these services from the same data folder, or if a port is in use; in
 * both cases, no port stays open
 */
export async function serve(
  config: Config,
  names: readonly ServiceName[] = SERVICE_NAMES,
  overrides: ServeOverrides = {},
): Promise<Serving> {
  const log = overrides.log ?? createLogger(config.logLevel, await lineFormat(isColourless()));
  using starting = new DisposableStack();
  const locks = starting.use(await lockServices(config, names, log));
  const app = await createApp(config, names, { ...overrides, log });
  registerDroppedLines(app.metrics.registry, log.droppedLines);
  const listeners = await openPorts(app, config, names).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  locks.note(listeners);
  starting.move();
  const onClosed = registerIdleClosed(app.metrics.registry);
  const connectionsMax = Math.min(CONNECTIONS_MAX, openFilesMax() * CONNECTIONS_SHARE);
  app.maintenance.add({
    name: "idle connections",
    everyMs: CONNECTION_CHECK_MS,
    run: () => limitConnections(listeners, connectionsMax, onClosed),
  });
  return {
    app,
    listeners,
    log,
    asOperator: (work) => asOperator(app.accounts, work),
    stop: () => stop(app, listeners, locks, log),
    failed: app.fatalIoError.then(() => drainOnly(app, log)),
  };
}

function openPorts(app: App, config: Config, names: readonly ServiceName[]): Promise<readonly Listener[]> {
  const metrics = config.isSupervised ? [] : metricsBindAddresses(config, names);
  return listenOnAll([...bindAddressesFor(config, names), ...metrics], (address) => {
    const { name, port } = address;
    const service = name === "metrics" ? app.metricsServer : app.services[name];
    if (service === undefined) throw new TypeError(`This process does not run ${name}.`);
    const listener = listen(address, service, { isShared: config.isSupervised });
    if (name !== "metrics" && port === 0) app.setAddress(name, listener.address);
    return listener;
  });
}

/**
 * Stops the services, but does not close the databases. Closing a database would copy its log to the database file, and after the
 * disk error nobody knows what the log contains.
 */
async function drainOnly(app: App, log: ProcessLogger) {
  drain(app);
  await Bun.sleep(SHUTDOWN_NOTICE_MS);
  await log.flush();
}

function drain(app: App) {
  for (const service of [...Object.values(app.services), app.metricsServer]) service.drain();
}

async function stop(app: App, listeners: readonly Listener[], locks: ServiceLocks, log: ProcessLogger) {
  log.info("stopping");
  locks.note([]);
  drain(app);
  await Bun.sleep(SHUTDOWN_NOTICE_MS);
  const stopped = Promise.all(listeners.map((listener) => listener.stop()));
  // The event streams end only after the ports have begun to close. Their clients reconnect immediately, and must not reach this
  // process again.
  app.endStreams();
  await stopped;
  await app.close();
  locks[Symbol.dispose]();
  log.info("stopped");
  await log.flush();
}

/**
 * Closes idle connections if there are too many connections. If the process reached the system's limit of open files, the runtime
 * could not accept a connection, and would retry endlessly at full CPU load.
 *
 * @param onClosed called with the number of closed connections
 */
function limitConnections(
  listeners: readonly Pick<Listener, "closeIdle">[],
  max: number,
  onClosed: (count: number) => void,
): undefined {
  if (leastOpenFiles() < max) return;
  for (const { closeIdle } of listeners) onClosed(closeIdle());
}
