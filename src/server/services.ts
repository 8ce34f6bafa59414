import type { PasswordCheck } from "../accounts/check-password.ts";
import { messagesEndpoints, petstoreEndpoints } from "../api/endpoints.ts";
import { messagesDocument, petstoreDocument } from "../api/openapi-documents.ts";
import { configuredAddress } from "../api/server-urls.ts";
import type { Config } from "../config.ts";
import { consolePages } from "../console/page.ts";
import { consoleRoutes } from "../console/routes.ts";
import type { Environment, ServiceName } from "../context.ts";
import type { Document } from "../contract/openapi/openapi.ts";
import { type Deliver, deliverToInbox, deliverToWebhook } from "../delivery/webhook.ts";
import { keptWebhookSecret } from "../delivery/webhook-secret.ts";
import { startDeliveryWorker } from "../delivery/worker.ts";
import { createApiKeyAuthenticator } from "../http/api-key-authenticator.ts";
import type { ConcurrencyLimit } from "../http/concurrency-limit.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { createResponseCache } from "../http/response-cache.ts";
import type { RouteGroup } from "../http/router.ts";
import { createService, type Service } from "../http/service.ts";
import type { StaticPage } from "../http/static/page.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { KeyVerifier } from "../keys/verify-key.ts";
import { queueStats } from "../messages/queue-stats.ts";
import { selectQueue } from "../messages/store.ts";
import type { RandomBytes } from "../platform/random.ts";
import { clientPage } from "../reference/client-page.ts";
import { documentPage } from "../reference/document-page.ts";
import { errorAndDeprecationPages } from "../reference/error-and-deprecation-pages.ts";
import { referencePages } from "../reference/reference-page.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { type Metrics, registerQueueStats } from "../telemetry/metrics/metrics.ts";
import type { Tracer } from "../telemetry/tracing/tracer.ts";
import { type DatabaseDeps, openStore, type StoreHandle } from "./open-database.ts";

/** What every service of one process shares. */
export interface ServiceDeps extends DatabaseDeps {
  readonly tracer: Tracer | undefined;
  readonly randomBytes: RandomBytes;
  /** One of each, whatever the service: the process has one event loop, and a key one allowance. */
  readonly concurrency: ConcurrencyLimit;
  readonly limitRate: RateLimiter | undefined;
  readonly keys: KeyVerifier;
  readonly usage: KeyUsage;
  readonly accounts: Database;
  readonly check: PasswordCheck;
  readonly messages: StoreHandle;
  /** Set once there is a worker in this process that can be woken. */
  readonly delivery: { wake: () => void };
  /** Where the services of this process listen. */
  readonly listening: Map<string, string>;
}

/** The pet store of one environment, with its console and its reference. */
export async function createPetstore(shared: ServiceDeps, environment: Environment): Promise<Service> {
  const { config, accounts, check, keys, messages, usage, delivery } = shared;
  const store = await openStore(environment, shared);
  const publicUrl = environment === "production" ? config.productionUrl : config.stagingUrl;
  return assemble(shared, store, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl,
    document: petstoreDocument,
    endpoints: Object.values(petstoreEndpoints),
    routeGroups: consoleRoutes({
      environment,
      config,
      publicUrl,
      accounts,
      check,
      store,
      messages,
      limits: limitsOf(shared),
      flushUsage: usage.flush,
      onKeysChanged: keys.invalidate,
      onMessageSubmitted: () => delivery.wake(),
      addressOf: addressesOf(shared),
    }),
    pages: [...consolePages(environment), clientPage()],
  });
}

/** The message service, and the worker that delivers for it. */
export async function createMessages(shared: ServiceDeps, deliver: Deliver | undefined): Promise<Service> {
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
  registerQueueStats(metrics, async () =>
    queueStats(singleRow(await database.read(selectQueue, [])), clock.now()),
  );
  return assemble(shared, messages, {
    name: "messages",
    basePath: "",
    publicUrl: config.messagesUrl,
    document: messagesDocument,
    endpoints: Object.values(messagesEndpoints(worker.wake)),
    routeGroups: [],
    pages: [],
  });
}

interface ServiceDefinition {
  readonly name: ServiceName;
  /** The only environment whose keys open the authenticator. */
  readonly environment?: Environment;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly document: Document;
  readonly endpoints: readonly Endpoint[];
  /** Beside the one for programs. */
  readonly routeGroups: readonly RouteGroup[];
  readonly pages: readonly StaticPage[];
}

function assemble(shared: ServiceDeps, store: StoreHandle, parts: ServiceDefinition): Service {
  const { clock, randomBytes, log, metrics, tracer, keys, usage } = shared;
  const { name, environment, basePath, publicUrl, document, endpoints } = parts;
  const addressOf = addressesOf(shared);
  const { getCached, verifyKey } = keys;
  const authenticator = createApiKeyAuthenticator({
    ...(environment && { environment }),
    getCached,
    verifyKey,
  });
  return createService({
    name,
    publicUrl,
    routeGroups: [
      {
        path: basePath,
        endpoints,
        pipeline: { ...limitsOf(shared), ...store, ...responseCacheOf(store, name, metrics), authenticator },
      },
      ...parts.routeGroups,
    ],
    pages: [
      ...parts.pages,
      documentPage(document, name, addressOf),
      ...referencePages(document, name, addressOf),
      ...errorAndDeprecationPages(document.operations),
    ],
    clock,
    randomBytes,
    log,
    metrics,
    tracer,
    keyUsage: usage,
  });
}

function limitsOf({ config, concurrency, limitRate, randomBytes }: ServiceDeps) {
  return {
    concurrency,
    ...(limitRate && { limitRate }),
    maxBodyBytes: config.maxBodyBytes,
    randomBytes,
  };
}

/** Responses are cached where the database can tell at once whether it has changed. */
function responseCacheOf({ database }: StoreHandle, service: ServiceName, { responseCache }: Metrics) {
  if (database.version === undefined) return {};
  const counters = {
    hit: responseCache.labels({ service, outcome: "hit" }),
    kept: responseCache.labels({ service, outcome: "kept" }),
  };
  return { responseCache: createResponseCache(database.version, (outcome) => counters[outcome].inc()) };
}

/** Where a service is found: its port, once that is known, or what the settings say. */
function addressesOf({ config, listening }: ServiceDeps): (service: string) => string {
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
