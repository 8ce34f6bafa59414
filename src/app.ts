import { type Clock, systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Environment } from "./context.ts";
import type { Document, DocumentServer } from "./contract/openapi.ts";
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
import { verifyKey } from "./keys/verify-key.ts";
import { createLogger, type Logger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type RandomBytes, systemRandomBytes } from "./random.ts";
import { documentPage } from "./reference/document-page.ts";
import { noticePages } from "./reference/notices.ts";
import { messagesServers, petstoreServers } from "./servers.ts";
import type { Database } from "./storage/database.ts";
import { type DatabaseName, openDatabase } from "./storage/open.ts";

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
  readonly accounts: Database;
  readonly lastUsed: LastUsed;
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
  const shared = { config, clock, randomBytes, log, metrics, accounts, lastUsed, resources };

  const services: Partial<Record<ServiceName, Service>> = {};
  for (const name of names) {
    services[name] =
      name === "messages"
        ? await createMessages(shared, overrides.deliver)
        : await createPetstore(shared, name);
  }
  const opened = resources.move();
  return { services, operations: createOperations(metrics), close: () => opened.disposeAsync() };
}

async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { config, metrics, resources } = shared;
  const database = await open(environment, config, metrics, resources);
  const servers = petstoreServers(config);
  return assemble(shared, database, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl: environment === "production" ? config.productionUrl : config.stagingUrl,
    document: petstoreDocument,
    servers,
    own: servers[environment === "production" ? 0 : 1],
    endpoints: petstoreEndpoints,
  });
}

async function createMessages(shared: Shared, deliver: Deliver | undefined): Promise<Service> {
  const { config, clock, randomBytes, log, metrics, resources } = shared;
  const database = await open("messages", config, metrics, resources);
  const worker = startDeliveryWorker({
    database,
    deliver: deliver ?? (await configuredDelivery(config, database, randomBytes)),
    clock,
    randomBytes,
    log,
    metrics,
  });
  resources.defer(worker.close);
  const servers = messagesServers(config);
  return assemble(shared, database, {
    name: "messages",
    basePath: "",
    publicUrl: config.messagesUrl,
    document: messagesDocument,
    servers,
    own: servers[0],
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
  readonly servers: readonly DocumentServer[];
  readonly own: DocumentServer | undefined;
  readonly endpoints: readonly Endpoint[];
}

function assemble(shared: Shared, database: Database, parts: Parts): Service {
  const { config, clock, randomBytes, log, metrics, accounts, lastUsed, resources } = shared;
  const { name, environment, basePath, publicUrl, document, servers, own, endpoints } = parts;
  const idempotency = createIdempotency(database, clock, (err) =>
    log.error({ err }, "old records were not pruned"),
  );
  resources.defer(idempotency.close);
  return createService({
    name,
    basePath,
    publicUrl,
    endpoints,
    pages: [documentPage(document, servers, own?.url ?? ""), ...noticePages(document.operations)],
    pipeline: {
      database,
      door: {
        ...(environment && { environment }),
        async verifyKey(token, now) {
          const actor = await verifyKey(accounts.read, token, now);
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
