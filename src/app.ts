import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Environment } from "./context.ts";
import type { Document } from "./contract/openapi.ts";
import { type Deliver, deliverToInbox, deliverToWebhook } from "./delivery/webhook.ts";
import { keptWebhookSecret } from "./delivery/webhook-secret.ts";
import { startDeliveryWorker } from "./delivery/worker.ts";
import { messagesDocument, petstoreDocument } from "./documents.ts";
import { messagesEndpoints, petstoreEndpoints } from "./endpoints.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createOperations } from "./http/operations.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { createService, type Service } from "./http/service.ts";
import { createLastUsed, type LastUsed } from "./keys/last-used.ts";
import { createKeyVerifier, type KeyVerifier } from "./keys/verify-key.ts";
import { createLogger, type Logger } from "./log.ts";
import { selectQueueDepth } from "./messages/store.ts";
import { createMetrics, type Metrics, readMetrics, watchQueueDepth } from "./metrics.ts";
import { type RandomBytes, systemRandomBytes } from "./random.ts";
import { documentPage } from "./reference/document-page.ts";
import { noticePages } from "./reference/notices.ts";
import { referencePages } from "./reference/reference-page.ts";
import { configuredAddress } from "./servers.ts";
import type { Database } from "./storage/database.ts";
import { type DatabaseName, openDatabase } from "./storage/open.ts";
import { onlyRow } from "./storage/row.ts";

export const SERVICE_NAMES = ["production", "staging", "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** What a test may put in place of the world outside. */
export interface Overrides {
  readonly clock?: Clock;
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
  /** Closes everything in the reverse of the order in which it was opened. */
  close(): Promise<void>;
}

/** What every service of one process shares. */
interface Shared {
  readonly config: Config;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keys: KeyVerifier;
  readonly lastUsed: LastUsed;
  /** Where the services of this process listen. */
  readonly listening: Map<string, string>;
  readonly resources: AsyncDisposableStack;
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
  const accounts = await open("accounts", config, metrics, resources);
  const lastUsed = createLastUsed(accounts, clock, (err) =>
    log.error({ err }, "last-used times were not written"),
  );
  resources.defer(lastUsed.close);
  const keys = await createKeyVerifier(accounts);
  resources.defer(keys.close);
  const listening = new Map<string, string>();
  const shared = { config, clock, randomBytes, log, metrics, keys, lastUsed, listening, resources };

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
    close: () => opened.disposeAsync(),
  };
}

async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { config, metrics, resources } = shared;
  const database = await open(environment, config, metrics, resources);
  return assemble(shared, database, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl: environment === "production" ? config.productionUrl : config.stagingUrl,
    document: petstoreDocument,
    endpoints: petstoreEndpoints,
  });
}

async function createMessages(shared: Shared, deliver: Deliver | undefined): Promise<Service> {
  const { config, clock, randomBytes, log, metrics, resources } = shared;
  const database = await open("messages", config, metrics, resources);
  const worker = await startDeliveryWorker({
    database,
    deliver: deliver ?? (await configuredDelivery(config, database, randomBytes)),
    clock,
    randomBytes,
    log,
    metrics,
  });
  resources.defer(worker.close);
  watchQueueDepth(metrics, async () => onlyRow(await database.read(selectQueueDepth)));
  return assemble(shared, database, {
    name: "messages",
    basePath: "",
    publicUrl: config.messagesUrl,
    document: messagesDocument,
    endpoints: messagesEndpoints(worker.wake),
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
}

function assemble(shared: Shared, database: Database, parts: Parts): Service {
  const { config, clock, randomBytes, log, metrics, keys, lastUsed, listening, resources } = shared;
  const { name, environment, basePath, publicUrl, document, endpoints } = parts;
  const addressOf = (service: string) => listening.get(service) ?? configuredAddress(config, service);
  const idempotency = createIdempotency(database, clock, (err) =>
    log.error({ err }, "old records were not pruned"),
  );
  resources.defer(idempotency.close);
  return createService({
    name,
    basePath,
    publicUrl,
    endpoints,
    pages: [
      documentPage(document, name, addressOf),
      ...referencePages(document, name, addressOf),
      ...noticePages(document.operations),
    ],
    pipeline: {
      database,
      door: {
        ...(environment && { environment }),
        async verifyKey(token, now) {
          const actor = await keys.verifyKey(token, now);
          if (actor !== undefined) lastUsed.touch(actor.keyId, now);
          return actor;
        },
      },
      idempotency,
      limitRate: createRateLimiter(config.rateLimit),
      maxBodyBytes: config.maxBodyBytes,
      randomBytes,
    },
    clock,
    log,
    metrics,
  });
}

async function configuredDelivery(
  config: Config,
  database: Database,
  randomBytes: RandomBytes,
): Promise<Deliver> {
  if (config.webhookUrl === undefined) return deliverToInbox;
  const secret = config.webhookSecret ?? (await keptWebhookSecret(database, randomBytes));
  return deliverToWebhook(config.webhookUrl, secret);
}

async function open(
  name: DatabaseName,
  { dataDir, databaseUrl }: Config,
  metrics: Metrics,
  resources: AsyncDisposableStack,
): Promise<Database> {
  const onCommit = (size: number) => metrics.commitBatch.observe({ database: name }, size);
  const database = await openDatabase(name, { dataDir, databaseUrl, onCommit });
  resources.defer(() => database.close());
  return database;
}
