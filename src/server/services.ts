import type { PasswordCheck } from "../accounts/passwords.ts";
import { type Concerned, effectsOf, withEffects } from "../api/effects.ts";
import { MESSAGES, OWN_KEY, petstoreEndpoints } from "../api/endpoints.ts";
import { configuredAddress } from "../api/server-urls.ts";
import { consolePages } from "../console/page.ts";
import { consoleRoutes } from "../console/routes.ts";
import type { Environment, ServiceName } from "../context.ts";
import { createApiKeyAuthenticator } from "../http/api-key-authenticator.ts";
import type { Pipeline, RouteGroup, Simulate } from "../http/call.ts";
import { addressOfSender } from "../http/client-address.ts";
import type { ConcurrencyLimit } from "../http/concurrency-limit.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { EventStreams } from "../http/event-streams.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { createResponseCache } from "../http/response-cache.ts";
import { createService, type Service } from "../http/service.ts";
import { faviconPage } from "../http/static/favicon.ts";
import type { StaticPage } from "../http/static/page.ts";
import type { UnsentLimit } from "../http/unsent-limit.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import { guidePages, referencePages } from "../site/pages.ts";
import type { Database } from "../storage/database.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { Damage } from "./backups.ts";
import { startEventDeliveries } from "./deliveries.ts";
import { type DatabaseDeps, type KeyDeps, openFeed, openStore, type StoreHandle } from "./open-database.ts";

export interface ServiceDeps extends DatabaseDeps, KeyDeps {
  readonly damage: Damage;
  readonly randomBytes: RandomBytes;
  /** Limit of concurrent requests, shared because all services share the event loop. */
  readonly concurrency: ConcurrencyLimit;
  /** Open event streams, shared because their maximum is for the whole process. */
  readonly streams: EventStreams;
  /** Rate limiter, shared because a key has one limit for all services. */
  readonly limitRate: RateLimiter | undefined;
  /** Budget for unsent responses, shared because all services share the memory. */
  readonly unsent: UnsentLimit;
  readonly accounts: Database;
  readonly passwordCheck: PasswordCheck;
  readonly messages: StoreHandle;
  /** Wakes the worker that delivers messages; without effect if another process has it. */
  readonly wakeMessages: () => void;
  /** Base addresses of services whose ports were chosen by the system. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The pet store of one environment, with its console and its reference. */
export async function createPetstore(deps: ServiceDeps, environment: Environment): Promise<Service> {
  const { config, keys, keyActivity, wakeMessages } = deps;
  const store = await openStore(environment, deps);
  deps.maintenance.pruneHistory(store.database, "store");
  const eventDeliveries = await startEventDeliveries(store.database, environment, deps);
  const feed = await openFeed(store.database, environment, deps);
  store.rehearsal?.onReset(feed.expire);
  const publicUrl = environment === "production" ? config.productionUrl : config.stagingUrl;
  const endpoints = petstoreEndpoints({
    channel: feed.createChannel(),
    webhookRules: { environment, privateDestinations: config.webhooksPrivate },
    rehearsal: store.rehearsal,
    wholeTables: store.database.wholeTables,
  });
  return assemble(deps, store, {
    name: environment,
    environment,
    basePath: "/v1",
    publicUrl,
    endpoints: [...Object.values(endpoints), ...Object.values(OWN_KEY)],
    routeGroups: consoleRoutes({
      environment,
      config,
      publicUrl,
      accounts: deps.accounts,
      check: deps.passwordCheck,
      store,
      endpoints,
      feed,
      messages: deps.messages,
      stores: deps.stores,
      damage: deps.damage,
      limits: limitsOf(deps),
      flushActivity: keyActivity.flush,
      addressOf: addressesOf(deps),
    }),
    pages: consolePages(environment),
    concerned: {
      wakeDeliveries: eventDeliveries.wake,
      wakeMessages,
      forgetKeys: keys.invalidate,
      reloadRehearsal: store.rehearsal?.reload,
    },
  });
}

export function createMessages(deps: ServiceDeps): Service {
  const { config, messages, wakeMessages } = deps;
  deps.maintenance.pruneHistory(messages.database, "messages");
  return assemble(deps, messages, {
    name: "messages",
    basePath: "",
    publicUrl: config.messagesUrl,
    endpoints: Object.values(MESSAGES),
    routeGroups: [],
    pages: [],
    concerned: { wakeMessages },
  });
}

interface ServiceDefinition {
  readonly name: ServiceName;
  /** Environment of the API keys that are accepted; left out, keys of both environments are. */
  readonly environment?: Environment;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Route groups in addition to the one for API keys. */
  readonly routeGroups: readonly RouteGroup[];
  readonly pages: readonly StaticPage[];
  /** Parts of the process that its operations' changes concern. */
  readonly concerned: Concerned;
}

function assemble(deps: ServiceDeps, store: StoreHandle, definition: ServiceDefinition): Service {
  const { name, publicUrl, pages, concerned } = definition;
  const effects = effectsOf(concerned);
  const following = ({ endpoints, ...group }: RouteGroup) => ({
    ...group,
    endpoints: withEffects(endpoints, effects),
  });
  const site = { own: name, addressOf: addressesOf(deps) };
  return createService({
    ...deps,
    name,
    publicUrl,
    testClock: store.rehearsal,
    routeGroups: [following(keyGroup(deps, store, definition)), ...definition.routeGroups.map(following)],
    pages: [...pages, ...referencePages(site), ...guidePages(site), faviconPage()],
    checks: [store.database.check, deps.accounts.check],
  });
}

/** The route group of the operations that programs call with an API key. */
function keyGroup(
  deps: ServiceDeps,
  store: StoreHandle,
  { name, environment, basePath, endpoints }: ServiceDefinition,
): RouteGroup {
  const { getCached, verifyKey } = deps.keys;
  const pipeline: Pipeline = {
    ...limitsOf(deps),
    ...store,
    authenticator: createApiKeyAuthenticator({ environment, getCached, verifyKey }),
    // The message service has no cache: a cached response serves every key, but a message's depends on the key's environment.
    responseCache: environment && responseCacheOf(store, name, deps.metrics),
    simulate: name === "staging" ? lazySimulate(store.database, deps.clock) : undefined,
  };
  return { path: basePath, endpoints, pipeline };
}

function limitsOf({ config, clock, concurrency, streams, unsent, limitRate, randomBytes }: ServiceDeps) {
  return {
    concurrency,
    streams,
    unsent,
    limitRate,
    bodyLimits: { maxBytes: config.maxBodyBytes, clock },
    addressOf: addressOfSender(config.trustedProxies),
    randomBytes,
  };
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
  // A page that was read between the reset and this callback has cursors that are no longer valid.
  rehearsal?.onReset(cache.clear);
  return cache;
}

/** A function that yields a service's base address: with the open port, or from the settings. */
function addressesOf({ config, addresses }: ServiceDeps): (service: string) => string {
  return (service) => addresses.get(service) ?? configuredAddress(config, service);
}

/** Simulates errors, delays and lost responses for staging's requests that ask for it. Its module is loaded by the first. */
function lazySimulate(database: Database, clock: Clock): Simulate {
  return async (call, handle) => {
    const { simulate } = await import("../http/simulation/simulate.ts");
    return simulate({ database, clock }, call, handle);
  };
}
