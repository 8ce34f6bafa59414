import { createAttempts } from "./accounts/attempts.ts";
import { createPasswords } from "./accounts/passwords.ts";
import { pruneAccounts } from "./accounts/prune-accounts.ts";
import { type Clock, repeat, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { SERVICE_NAMES, type ServiceName } from "./context.ts";
import type { Deliver } from "./delivery/webhook.ts";
import { createInFlight } from "./http/in-flight.ts";
import { createOperations } from "./http/operations.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import type { Service } from "./http/service.ts";
import { createKeyUsage } from "./keys/key-usage.ts";
import { createKeyVerifier } from "./keys/verify-key.ts";
import { ACCOUNTS_PRUNE_INTERVAL_MS } from "./limits.ts";
import { createLogger, type Logger } from "./log.ts";
import { createMetrics, type Metrics, readMetrics, watchInFlight } from "./metrics/metrics.ts";
import { watchProcess } from "./metrics/process-metrics.ts";
import { type Opening, openStore, openTrackedDatabase } from "./open-store.ts";
import { type RandomBytes, systemRandomBytes } from "./random.ts";
import { createMessages, createPetstore } from "./services.ts";
import { watchDataFolder } from "./storage/data-folder-metrics.ts";
import type { Tracer } from "./tracing/tracer.ts";

/** What a test may put in place of the world outside. */
export interface Overrides {
  readonly clock?: Clock;
  /** Milliseconds since some moment, on a clock that nobody sets. */
  readonly elapsed?: () => number;
  readonly randomBytes?: RandomBytes;
  readonly deliver?: Deliver;
  readonly log?: Logger;
}

export interface App {
  readonly services: Readonly<Partial<Record<ServiceName, Service>>>;
  /** The operators' listener. */
  readonly operations: Service;
  readonly metrics: Metrics;
  /** Tells where a service listens, when its port was not known before. */
  announce(name: ServiceName, address: string): void;
  /** Resolves when a disk failed under a commit: nothing is written any more, and the process has to end without closing. */
  readonly broken: Promise<void>;
  /** Closes everything in the reverse of the order in which it was opened. */
  close(): Promise<void>;
}

/**
 * The whole program but for its ports: opens what the named services need and puts them together.
 *
 * @throws MigrationError when a database cannot be used
 */
export async function createApp(
  config: Config,
  names: readonly ServiceName[] = SERVICE_NAMES,
  overrides: Overrides = {},
): Promise<App> {
  const {
    clock = systemClock,
    randomBytes = systemRandomBytes,
    log = createLogger(config.logLevel),
  } = overrides;
  await using resources = new AsyncDisposableStack();
  const metrics = createMetrics();
  resources.defer(watchProcess(metrics.registry).close);
  if (config.databaseUrl === undefined) watchDataFolder(metrics.registry, config.dataDir);
  const broken = Promise.withResolvers<void>();
  const opening = { config, clock, log, metrics, resources, onBroken: broken.resolve };
  const tracer = await openTracer(opening, randomBytes);
  const accounts = await openTrackedDatabase("accounts", opening);
  const pruning = repeat(
    clock,
    ACCOUNTS_PRUNE_INTERVAL_MS,
    () => pruneAccounts(accounts, clock.now()),
    (err) => log.error({ err }, "ended sessions were not pruned"),
  );
  resources.defer(pruning.close);
  const usage = createKeyUsage(accounts, clock, (err) => log.error({ err }, "uses of keys were not written"));
  resources.defer(usage.close);
  const keys = await createKeyVerifier(accounts, clock, metrics.countKey);
  resources.defer(keys.close);
  const messages = await openStore("messages", opening);
  const listening = new Map<string, string>();
  const delivery = { wake: () => {} };
  const check = { accounts, passwords: createPasswords(), attempts: createAttempts(accounts) };
  const inFlight = createInFlight(() => metrics.shed.inc());
  watchInFlight(metrics, inFlight.count);
  const limitRate = config.rateLimit && createRateLimiter(config.rateLimit, overrides.elapsed);
  const shared = {
    ...opening,
    tracer,
    inFlight,
    limitRate,
    randomBytes,
    keys,
    usage,
    accounts,
    check,
    messages,
    delivery,
    listening,
  };

  const services: Partial<Record<ServiceName, Service>> = {};
  for (const name of names) {
    services[name] =
      name === "messages"
        ? await createMessages(shared, overrides.deliver)
        : await createPetstore(shared, name);
  }
  const opened = resources.move();
  return {
    services,
    operations: createOperations(() => readMetrics(metrics)),
    metrics,
    announce: (name, address) => void listening.set(name, address),
    broken: broken.promise,
    close: () => opened.disposeAsync(),
  };
}

/** Loaded only where spans are wanted. */
async function openTracer(
  { config, log, resources }: Opening,
  randomBytes: RandomBytes,
): Promise<Tracer | undefined> {
  if (config.traces === undefined) return undefined;
  const { createTracer } = await import("./tracing/open-telemetry.ts");
  const tracer = createTracer(config.traces, randomBytes, log);
  resources.defer(tracer.close);
  return tracer;
}
