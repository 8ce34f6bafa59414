import type { PasswordCheck } from "../accounts/passwords.ts";
import { type Concerned, effectsOf, withEffects } from "../api/effects.ts";
import { MESSAGES, OWN_KEY, petstoreEndpoints } from "../api/endpoints.ts";
import { consolePages } from "../console/page.ts";
import { consoleRoutes } from "../console/routes.ts";
import { createStockCounts } from "../console/stock-counts.ts";
import type { Environment, ServiceName } from "../context.ts";
import { createApiKeyAuthenticator } from "../http/api-key-authenticator.ts";
import type { Limits, Pipeline, RouteGroup, Simulate } from "../http/call.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { createResponseCache } from "../http/response-cache.ts";
import { createService, type Service } from "../http/service.ts";
import { faviconPage } from "../http/static/favicon.ts";
import type { StaticPage } from "../http/static/page.ts";
import { createInventory } from "../pets/inventory.ts";
import type { Clock } from "../platform/clock.ts";
import { guidePages, referencePages } from "../site/pages.ts";
import type { Database } from "../storage/database.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { Damage } from "./backups.ts";
import { startEventDeliveries } from "./deliveries.ts";
import { batchesOf } from "./maintenance.ts";
import { type DatabaseDeps, type KeyDeps, openFeed, openStore, type StoreHandle } from "./open-database.ts";

/** The parts of a process that its services share. */
export interface Shared {
  /** Opens and connects the parts that each service has for itself. */
  readonly deps: DatabaseDeps;
  readonly keys: KeyDeps;
  readonly limits: Limits;
  readonly accounts: Database;
  readonly passwordCheck: PasswordCheck;
  readonly messages: StoreHandle;
  /** Wakes the worker that delivers messages. Does nothing if another process runs that worker. */
  readonly wakeMessages: () => void;
  /** Wakes the worker that sends mails; undefined without a mail server. */
  readonly wakeMails: (() => void) | undefined;
  readonly damage: Damage;
  /** A service's base address: with the port that was opened, or from the settings. */
  readonly addressOf: (service: string) => string;
}

/** The pet store of one environment, with its console and its API reference. */
export async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { deps, keys, limits, accounts, passwordCheck, messages, wakeMessages, damage, addressOf } = shared;
  const { config } = deps;
  const store = await openStore(environment, deps);
  deps.maintenance.addBatches(store.database, batchesOf(config).store);
  const eventDeliveries = await startEventDeliveries(store.database, environment, deps);
  const feed = await openFeed(store.database, environment, deps);
  store.rehearsal?.onReset(feed.expire);
  const publicUrl = environment === "production" ? config.productionUrl : config.stagingUrl;
  const { wholeTables } = store.database;
  const inventory = createInventory(wholeTables);
  const endpoints = petstoreEndpoints({
    channel: feed.createChannel(),
    webhookRules: { environment, privateDestinations: config.webhooksPrivate },
    rehearsal: store.rehearsal,
    wholeTables,
    inventory,
  });
  return assemble(shared, store, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl,
    endpoints: [...Object.values(endpoints), ...Object.values(OWN_KEY)],
    routeGroups: consoleRoutes({
      environment,
      config,
      publicUrl,
      accounts,
      check: passwordCheck,
      store,
      endpoints,
      stock: createStockCounts(wholeTables, inventory),
      feed,
      messages,
      stores: deps.stores,
      damage,
      limits,
      flushActivity: keys.activity.flush,
      addressOf,
    }),
    pages: consolePages(environment, addressOf),
    concerned: {
      wakeDeliveries: eventDeliveries.wake,
      wakeMessages,
      wakeMails: shared.wakeMails,
      forgetKeys: keys.verifier.invalidate,
      reloadRehearsal: store.rehearsal?.reload,
    },
  });
}

export function createMessages(shared: Shared): Service {
  const { deps, messages, wakeMessages } = shared;
  deps.maintenance.addBatches(messages.database, batchesOf(deps.config).messages);
  return assemble(shared, messages, {
    name: "messages",
    basePath: "",
    publicUrl: deps.config.messagesUrl,
    endpoints: Object.values(MESSAGES),
    routeGroups: [],
    pages: [],
    concerned: { wakeMessages },
  });
}

interface ServiceDefinition {
  readonly name: ServiceName;
  /** Environment whose API keys are accepted. If left out, keys of both environments are. */
  readonly environment?: Environment;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Route groups in addition to the one for API keys. */
  readonly routeGroups: readonly RouteGroup[];
  readonly pages: readonly StaticPage[];
  /** Parts of the process that the changes of this service's operations affect. */
  readonly concerned: Concerned;
}

function assemble(shared: Shared, store: StoreHandle, definition: ServiceDefinition): Service {
  const { name, publicUrl, pages, concerned } = definition;
  const { keys, limits, accounts, addressOf } = shared;
  const { clock, log, metrics } = shared.deps;
  const effects = effectsOf(concerned);
  const following = ({ endpoints, ...group }: RouteGroup) => ({
    ...group,
    endpoints: withEffects(endpoints, effects),
  });
  const site = { own: name, addressOf };
  return createService({
    name,
    publicUrl,
    clock,
    testClock: store.rehearsal,
    log,
    metrics,
    keyActivity: keys.activity,
    randomBytes: limits.randomBytes,
    unsent: limits.unsent,
    routeGroups: [following(keyGroup(shared, store, definition)), ...definition.routeGroups.map(following)],
    pages: [...pages, ...referencePages(site), ...guidePages(site), faviconPage()],
    checks: [store.database.check, accounts.check],
  });
}

/** The route group of the operations that programs call with an API key. */
function keyGroup(
  { deps: { clock, metrics }, keys, limits }: Shared,
  store: StoreHandle,
  { name, environment, basePath, endpoints }: ServiceDefinition,
): RouteGroup {
  const { getCached, verifyKey } = keys.verifier;
  const pipeline: Pipeline = {
    ...limits,
    ...store,
    authenticator: createApiKeyAuthenticator({ environment, getCached, verifyKey }),
    // The message service has no cache: a cached response is for every key, but a message's response depends on the key's
    // environment.
    responseCache: environment && responseCacheOf(store, name, metrics),
    simulate: name === "staging" ? lazySimulate(store.database, clock) : undefined,
  };
  return { path: basePath, endpoints, pipeline };
}

function responseCacheOf(
  { database, rehearsal }: StoreHandle,
  service: ServiceName,
  { responseCacheCounts }: Metrics,
) {
  const counts = {
    hit: responseCacheCounts({ service, outcome: "hit" }),
    kept: responseCacheCounts({ service, outcome: "kept" }),
  };
  const cache = createResponseCache(database.versions, (outcome) => {
    counts[outcome].value++;
  });
  // A page that was read between the reset and this callback contains cursors that are no longer valid.
  rehearsal?.onReset(cache.clear);
  return cache;
}

/**
 * Simulates errors, delays and lost responses for requests to staging that ask for them. The first such request loads the
 * module.
 */
function lazySimulate(database: Database, clock: Clock): Simulate {
  return async (call, handle) => {
    const { simulate } = await import("../http/simulation/simulate.ts");
    return simulate({ database, clock }, call, handle);
  };
}
