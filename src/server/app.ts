import { noteMailing } from "../accounts/mail/mails.ts";
import { createPasswords, type PasswordCost } from "../accounts/passwords.ts";
import { createLoginThrottle } from "../accounts/sessions/login-throttle.ts";
import { configuredAddress } from "../api/server-urls.ts";
import type { Config } from "../config.ts";
import { ENVIRONMENTS, SERVICE_NAMES, type ServiceName } from "../context.ts";
import type { Deliver } from "../delivery/webhook.ts";
import type { Limits } from "../http/call.ts";
import { addressOfSender } from "../http/client-address.ts";
import { createConcurrencyLimit } from "../http/concurrency-limit.ts";
import {
  createEventStreams,
  type EventStreams,
  STREAM_CHECK_MS,
  STREAM_ENDS,
} from "../http/event-streams.ts";
import { createShareCheck, KEY_SHARES, type ShareCheck } from "../http/key-shares.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import type { Service } from "../http/service.ts";
import { createUnsentLimit } from "../http/unsent-limit.ts";
import { type Clock, createSetClock, systemClock } from "../platform/clock.ts";
import { freeBytes } from "../platform/disk.ts";
import { type RandomBytes, systemRandomBytes } from "../platform/random.ts";
import type { ChangeFeed } from "../storage/change-feed.ts";
import { refuseUnfinishedCopy } from "../storage/copy/copy.ts";
import type { Database } from "../storage/database.ts";
import { openChangeFeed, openConnections } from "../storage/open.ts";
import { type DatabaseName, DISK_ROOM_BYTES, databaseBytes } from "../storage/store-files.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import { registerDataFolderMetrics, registerServerMetrics } from "../telemetry/metrics/data-metrics.ts";
import { createMetrics, type Metrics, readMetrics, registerLoad } from "../telemetry/metrics/metrics.ts";
import { registerProcessMetrics } from "../telemetry/metrics/process-metrics.ts";
import { registerStreamMetrics } from "../telemetry/metrics/stream-metrics.ts";
import { startBackups } from "./backups.ts";
import { startMailing, startMessageDeliveries } from "./deliveries.ts";
import { batchesOf, createMaintenance, type Maintenance } from "./maintenance.ts";
import { createMetricsServer } from "./metrics-server.ts";
import {
  type DatabaseDeps,
  handleFatalIoError,
  openInstrumentedDatabase,
  openKeys,
  openStore,
} from "./open-database.ts";
import { logOutages } from "./outages.ts";
import { keepServerTime } from "./server-clock.ts";
import { createMessages, createPetstore, type Shared } from "./services.ts";

/**
 * Replacements for dependencies of the app. Tests replace most of them, `serve` replaces the log, and a worker process replaces
 * `changes`.
 */
export interface Overrides {
  readonly clock?: Clock;
  readonly randomBytes?: RandomBytes;
  readonly deliver?: Deliver;
  readonly passwordCost?: PasswordCost;
  readonly log?: Logger;
  /** The feed that announces changes by other processes. A worker process receives it from its supervisor. */
  readonly changes?: ChangeFeed;
}

export interface App {
  readonly services: Readonly<Partial<Record<ServiceName, Service>>>;
  readonly metricsServer: Service;
  readonly metrics: Metrics;
  readonly accounts: Database;
  readonly maintenance: Pick<Maintenance, "add">;
  setAddress(name: ServiceName, address: string): void;
  /**
   * Resolves if the process must end without calling `close`, because a commit could not be written to disk, or a database file is
   * gone.
   */
  readonly fatalIoError: Promise<void>;
  /** Ends the event streams. Their clients then reconnect, possibly to a different process. */
  endStreams(): void;
  close(): Promise<void>;
}

/**
 * Creates and connects everything that these services need (composition root), but opens no port.
 *
 * @throws MigrationError if a database cannot be used
 */
export async function createApp(
  config: Config,
  names: readonly ServiceName[] = SERVICE_NAMES,
  overrides: Overrides = {},
): Promise<App> {
  const { randomBytes = systemRandomBytes, changes = openChangeFeed(config) } = overrides;
  const { log, onAnswer } = openLog(config, overrides.log);
  await using resources = new AsyncDisposableStack();
  const metrics = openMetrics(config, resources);
  if (changes !== undefined) resources.defer(changes.close);
  const connections = openConnections(config);
  if (connections !== undefined) {
    resources.defer(connections.close);
    registerServerMetrics(metrics.registry, connections.state);
  }
  const own = createSetClock(systemClock);
  const clock = overrides.clock ?? own;
  const maintenance = createMaintenance({ clock, log, resources });
  if (connections !== undefined) await keepServerTime(own, connections, maintenance);
  const fatalIoError = Promise.withResolvers<void>();
  const databases = { log, stores: new Map<DatabaseName, Database>(), closed: new Set<DatabaseName>() };

  const databaseDeps: DatabaseDeps = {
    ...databases,
    config,
    clock,
    randomBytes,
    metrics,
    resources,
    maintenance,
    ...{ changes, connections },
    onAnswer,
    onFatalIoError: handleFatalIoError(databases, names, fatalIoError.resolve),
  };
  const accounts = await openAccounts(databaseDeps);
  const addresses = new Map<string, string>();
  const addressOf = (service: string) => addresses.get(service) ?? configuredAddress(config, service);
  const limits = openLimits(databaseDeps);
  const messages = await openStore("messages", databaseDeps);
  const shared: Shared = {
    deps: databaseDeps,
    keys: await openKeys(accounts, databaseDeps),
    limits,
    accounts,
    passwordCheck: {
      accounts,
      passwords: createPasswords(overrides.passwordCost),
      throttle: createLoginThrottle(accounts),
    },
    messages,
    wakeMessages: names.includes("messages")
      ? (await startMessageDeliveries(messages.database, overrides.deliver, databaseDeps)).wake
      : () => {},
    wakeMails: await startMails(accounts, names, addressOf, databaseDeps),
    damage: new Map(),
    addressOf,
  };

  const services: Partial<Record<ServiceName, Service>> = {};
  for (const name of names)
    services[name] = name === "messages" ? createMessages(shared) : await createPetstore(shared, name);
  startBackups(databaseDeps, shared.damage);
  maintenance.start();
  const opened = resources.move();
  return {
    services,
    metricsServer: createMetricsServer(config.metricsHost, () => readMetrics(metrics)),
    metrics,
    accounts,
    maintenance,
    setAddress: (name, address) => void addresses.set(name, address),
    fatalIoError: fatalIoError.promise,
    endStreams: limits.streams.stop,
    close: () => opened.disposeAsync(),
  };
}

async function openAccounts(deps: DatabaseDeps): Promise<Database> {
  const accounts = await openInstrumentedDatabase("accounts", deps);
  await refuseUnfinishedCopy(accounts);
  deps.maintenance.addBatches(accounts, batchesOf(deps.config).accounts);
  return accounts;
}

/**
 * Starts sending emails, if a mail server is configured and this process serves a console. Links in emails lead to production's
 * console, if its address is known.
 */
async function startMails(
  accounts: Database,
  names: readonly ServiceName[],
  addressOf: Shared["addressOf"],
  deps: DatabaseDeps,
): Promise<(() => void) | undefined> {
  const { productionUrl, stagingUrl } = deps.config;
  const own = ENVIRONMENTS.find((name) => names.includes(name));
  if (own === undefined) return undefined;
  const origin = () => new URL(productionUrl ?? stagingUrl ?? addressOf(own)).origin;
  const worker = await startMailing(accounts, origin, deps);
  if (worker !== undefined || own === "production") await noteMailing(accounts, worker !== undefined);
  return worker?.wake;
}

function openLog({ dataDir, logLevel }: Config, log: Logger = createLogger(logLevel)) {
  const disk = () => ({ dataDir, freeBytes: freeBytes(dataDir), neededBytes: DISK_ROOM_BYTES });
  return logOutages(log, disk);
}

function openMetrics({ databaseUrl, dataDir }: Config, resources: AsyncDisposableStack): Metrics {
  const metrics = createMetrics();
  resources.defer(registerProcessMetrics(metrics.registry).close);
  if (databaseUrl === undefined) {
    registerDataFolderMetrics(metrics.registry, {
      freeBytes: () => freeBytes(dataDir),
      databaseBytes: () => databaseBytes(dataDir),
    });
  }
  return metrics;
}

function openLimits(deps: DatabaseDeps): Limits {
  const { config, clock, randomBytes, metrics } = deps;
  const requireShare = createShareCheck((share) => metrics.shareRefusals.inc({ share }));
  for (const share in KEY_SHARES) metrics.shareRefusals.inc({ share }, 0);
  const concurrency = createConcurrencyLimit(requireShare, clock.monotonicMs, () =>
    metrics.rejectedRequests.inc(),
  );
  const unsent = createUnsentLimit(requireShare);
  registerLoad(metrics, concurrency.count, unsent.bytes);
  return {
    concurrency,
    streams: openStreams(deps, requireShare),
    unsent,
    limitRate: config.rateLimit && createRateLimiter(config.rateLimit, clock.monotonicMs),
    bodyLimits: { maxBytes: config.maxBodyBytes, clock },
    addressOf: addressOfSender(config.trustedProxies),
    randomBytes,
  };
}

function openStreams(deps: DatabaseDeps, requireShare: ShareCheck): EventStreams {
  const { clock, log, metrics, maintenance, resources } = deps;
  const counts = registerStreamMetrics(metrics.registry, STREAM_ENDS, () => streams.count());
  const onError = (err: unknown) => log.error({ err }, "an event stream ended because of an error");
  const streams = createEventStreams({ clock, ...counts, onError, requireShare });
  maintenance.add({ name: "event streams", everyMs: STREAM_CHECK_MS, run: () => void streams.look() });
  resources.defer(streams.stop);
  return streams;
}
