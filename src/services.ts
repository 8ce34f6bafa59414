import type { PasswordCheck } from "./accounts/check-password.ts";
import type { Config } from "./config.ts";
import { consoleAreas } from "./console/areas.ts";
import { consolePages } from "./console/page.ts";
import type { Environment, ServiceName } from "./context.ts";
import type { Document } from "./contract/openapi.ts";
import { type Deliver, deliverToInbox, deliverToWebhook } from "./delivery/webhook.ts";
import { keptWebhookSecret } from "./delivery/webhook-secret.ts";
import { startDeliveryWorker } from "./delivery/worker.ts";
import { messagesDocument, petstoreDocument } from "./documents.ts";
import { messagesEndpoints, petstoreEndpoints } from "./endpoints.ts";
import { createKeyDoor } from "./http/authenticate.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { InFlight } from "./http/in-flight.ts";
import type { OpenPage } from "./http/open-page.ts";
import { createPageCache } from "./http/page-cache.ts";
import type { RateLimiter } from "./http/rate-limit.ts";
import type { Area } from "./http/router.ts";
import { createService, type Service } from "./http/service.ts";
import type { KeyUsage } from "./keys/key-usage.ts";
import type { KeyVerifier } from "./keys/verify-key.ts";
import { queueAges } from "./messages/queue-ages.ts";
import { selectQueue } from "./messages/store.ts";
import { type Metrics, watchQueue } from "./metrics/metrics.ts";
import { type Opening, openStore, type Store } from "./open-store.ts";
import type { RandomBytes } from "./random.ts";
import { clientPage } from "./reference/client-page.ts";
import { documentPage } from "./reference/document-page.ts";
import { noticePages } from "./reference/notices.ts";
import { referencePages } from "./reference/reference-page.ts";
import { configuredAddress } from "./servers.ts";
import type { Database } from "./storage/database.ts";
import { onlyRow } from "./storage/row.ts";
import type { Tracer } from "./tracing/tracer.ts";

/** What every service of one process shares. */
export interface Shared extends Opening {
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

/** The pet store of one environment, with its console and its reference. */
export async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { config, accounts, check, keys, messages, usage, delivery } = shared;
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
      onKeysChanged: keys.forgetKeys,
      onMessageSubmitted: () => delivery.wake(),
      addressOf: addressesOf(shared),
    }),
    pages: [...consolePages(environment), clientPage()],
  });
}

/** The message service, and the worker that delivers for it. */
export async function createMessages(shared: Shared, deliver: Deliver | undefined): Promise<Service> {
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
