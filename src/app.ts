import { createAttempts } from "./accounts/attempts.ts";
import type { PasswordCheck } from "./accounts/check-password.ts";
import { createPasswords } from "./accounts/passwords.ts";
import { pruneAccounts } from "./accounts/prune-accounts.ts";
import { type Clock, repeat, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { consoleAreas } from "./console/areas.ts";
import { consolePages } from "./console/page.ts";
import type { Environment } from "./context.ts";
import type { Document } from "./contract/openapi.ts";
import { type Deliver, deliverToInbox, deliverToWebhook } from "./delivery/webhook.ts";
import { keptWebhookSecret } from "./delivery/webhook-secret.ts";
import { startDeliveryWorker } from "./delivery/worker.ts";
import { messagesDocument, petstoreDocument } from "./documents.ts";
import { messagesEndpoints, petstoreEndpoints } from "./endpoints.ts";
import { createKeyDoor } from "./http/authenticate.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { createInFlight, type InFlight } from "./http/in-flight.ts";
import type { OpenPage } from "./http/open-page.ts";
import { createOperations } from "./http/operations.ts";
import { createPageCache } from "./http/page-cache.ts";
import { createRateLimiter, type RateLimiter } from "./http/rate-limit.ts";
import { type Area, createService, type Service } from "./http/service.ts";
import { createKeyUsage, type KeyUsage } from "./keys/key-usage.ts";
import { createKeyVerifier, type KeyVerifier } from "./keys/verify-key.ts";
import { ACCOUNTS_PRUNE_INTERVAL_MS } from "./limits.ts";
import { createLogger, type Logger } from "./log.ts";
import { queueAges } from "./messages/queue-ages.ts";
import { selectQueue } from "./messages/store.ts";
import { createMetrics, type Metrics, readMetrics, watchInFlight, watchQueue } from "./metrics.ts";
import { type Opening, openStore, openTrackedDatabase, type Store } from "./open-store.ts";
import { watchProcess } from "./process-metrics.ts";
import { type RandomBytes, systemRandomBytes } from "./random.ts";
import { documentPage } from "./reference/document-page.ts";
import { noticePages } from "./reference/notices.ts";
import { referencePages } from "./reference/reference-page.ts";
import { configuredAddress } from "./servers.ts";
import { SERVICE_NAMES, type ServiceName } from "./service-name.ts";
import { watchDataFolder } from "./storage/data-folder-metrics.ts";
import type { Database } from "./storage/database.ts";
import { onlyRow } from "./storage/row.ts";
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

/** What every service of one process shares. */
interface Shared extends Opening {
  readonly tracer: Tracer | undefined;
  readonly randomBytes: RandomBytes;
  /** One of each, whatever the service: the process has one event loop, and a key one allowance. */
  readonly inFlight: InFlight;
  readonly limitRate: RateLimiter | undefined;
  readonly keys: KeyVerifier;
  readonly usage: KeyUsage;
  readonly accounts: Database;
  readonly check: PasswordCheck;
  readonly messages: Store;
  /** Set once there is a worker in this process that can be woken. */
  readonly delivery: { wake: () => void };
  /** Where the services of this process listen. */
  readonly listening: Map<string, string>;
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

async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { config, accounts, check, messages, usage, delivery } = shared;
  const store = await openStore(environment, shared);
  const publicUrl = environment === "production" ? config.productionUrl : config.stagingUrl;
  return assemble(shared, store, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl,
    document: petstoreDocument,
    endpoints: petstoreEndpoints,
    areas: consoleAreas({
      environment,
      config,
      publicUrl,
      accounts,
      check,
      store,
      messages,
      limits: limitsOf(shared),
      flushUsage: usage.flush,
      onMessageSubmitted: () => delivery.wake(),
      addressOf: addressesOf(shared),
    }),
    pages: consolePages(environment),
  });
}

async function createMessages(shared: Shared, deliver: Deliver | undefined): Promise<Service> {
  const { config, clock, randomBytes, log, metrics, resources, messages, delivery } = shared;
  const { database } = messages;
  const worker = await startDeliveryWorker({
    database,
    deliver: deliver ?? (await configuredDelivery(config, database, randomBytes)),
    clock,
    randomBytes,
    log,
    metrics,
  });
  resources.defer(worker.close);
  delivery.wake = worker.wake;
  watchQueue(metrics, async () => queueAges(onlyRow(await database.read(selectQueue)), clock.now()));
  return assemble(shared, messages, {
    name: "messages",
    basePath: "",
    publicUrl: config.messagesUrl,
    document: messagesDocument,
    endpoints: messagesEndpoints(worker.wake),
    areas: [],
    pages: [],
  });
}

interface Parts {
  readonly name: ServiceName;
  /** The only environment whose keys open the door. */
  readonly environment?: Environment;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly document: Document;
  readonly endpoints: readonly Endpoint[];
  /** Beside the one for programs. */
  readonly areas: readonly Area[];
  readonly pages: readonly OpenPage[];
}

function assemble(shared: Shared, store: Store, parts: Parts): Service {
  const { clock, randomBytes, log, metrics, tracer, keys, usage } = shared;
  const { name, environment, basePath, publicUrl, document, endpoints } = parts;
  const addressOf = addressesOf(shared);
  const door = createKeyDoor({
    ...(environment && { environment }),
    recallKey(token, now) {
      const actor = keys.recallKey(token, now);
      if (actor !== undefined) usage.touch(actor.keyId, now);
      return actor;
    },
    async verifyKey(token, now) {
      const actor = await keys.verifyKey(token, now);
      if (actor !== undefined) usage.touch(actor.keyId, now);
      return actor;
    },
  });
  return createService({
    name,
    publicUrl,
    areas: [
      {
        path: basePath,
        endpoints,
        pipeline: { ...limitsOf(shared), ...store, ...pagesOf(store, name, metrics), door },
      },
      ...parts.areas,
    ],
    pages: [
      ...parts.pages,
      documentPage(document, name, addressOf),
      ...referencePages(document, name, addressOf),
      ...noticePages(document.operations),
    ],
    clock,
    randomBytes,
    log,
    metrics,
    tracer,
    onDeprecatedCall: usage.callDeprecated,
  });
}

function limitsOf({ config, inFlight, limitRate, randomBytes }: Shared) {
  return {
    inFlight,
    ...(limitRate && { limitRate }),
    maxBodyBytes: config.maxBodyBytes,
    randomBytes,
  };
}

/** Pages are kept where the store can say at once whether they are still what it holds. */
function pagesOf({ database }: Store, service: ServiceName, { pages }: Metrics) {
  if (database.version === undefined) return {};
  const counters = {
    hit: pages.labels({ service, outcome: "hit" }),
    kept: pages.labels({ service, outcome: "kept" }),
  };
  return { pages: createPageCache(database.version, (outcome) => counters[outcome].inc()) };
}

/** Where a service is found: its port, once that is known, or what the settings say. */
function addressesOf({ config, listening }: Shared): (service: string) => string {
  return (service) => listening.get(service) ?? configuredAddress(config, service);
}

async function configuredDelivery(
  config: Config,
  database: Database,
  randomBytes: RandomBytes,
): Promise<Deliver> {
  if (config.webhookUrl === undefined) return deliverToInbox;
  const secret = config.webhookSecret ?? (await keptWebhookSecret(database, randomBytes));
  return deliverToWebhook({ url: config.webhookUrl, secret, privateDestinations: config.webhookPrivate });
}
