import type { PasswordCheck } from "../accounts/passwords.ts";
import { type Concerned, effectsOf, withEffects } from "../api/effects.ts";
import { MESSAGES, OWN_KEY, petstoreEndpoints } from "../api/endpoints.ts";
import { createGetSession } from "../console/account-endpoints.ts";
import { consolePages } from "../console/page.ts";
import {
  accountRoutes,
  createSessions,
  messageRoutes,
  openIdentities,
  storeRoutes,
  transferRoutes,
} from "../console/routes.ts";
import { createStockCounts, type StockCounts } from "../console/stock-counts.ts";
import type { Environment, ServiceName } from "../context.ts";
import type { EventFeed } from "../events/feed.ts";
import type { Limits, RouteGroup } from "../http/call.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { createService, type Service } from "../http/service.ts";
import { faviconPage } from "../http/static/favicon.ts";
import type { StaticPage } from "../http/static/page.ts";
import { createInventory } from "../pets/inventory.ts";
import { guidePages, referencePages } from "../site/pages.ts";
import type { Database } from "../storage/database.ts";
import type { Damage } from "./backups.ts";
import { startEventDeliveries } from "./deliveries.ts";
import { keyPipeline } from "./key-pipeline.ts";
import { batchesOf } from "./maintenance.ts";
import { type DatabaseDeps, type KeyDeps, openFeed, openStore, type StoreHandle } from "./open-database.ts";

export interface Shared {
  readonly deps: DatabaseDeps;
  readonly keys: KeyDeps;
  readonly limits: Limits;
  readonly accounts: Database;
  readonly passwordCheck: PasswordCheck;
  readonly messages: StoreHandle;
  /** Wakes the worker that delivers messages. Does nothing if that worker runs in a different process. */
  readonly wakeMessages: () => void;
  /** Wakes the worker that sends emails. Undefined if no mail server is configured. */
  readonly wakeMails: (() => void) | undefined;
  readonly damage: Damage;
  /**
   * Returns the configured address of a service. If none is configured, returns the address on this machine, with the port that was
   * actually opened.
   */
  readonly addressOf: (service: string) => string;
}

/** Creates the service of one environment, with its console and its API reference. */
export async function createPetstore(shared: Shared, environment: Environment): Promise<Service> {
  const { deps, keys, wakeMessages, wakeMails, addressOf } = shared;
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
    routeGroups: consoleGroups(shared, {
      ...{ environment, publicUrl, store, endpoints, feed },
      stock: createStockCounts(wholeTables, inventory),
    }),
    pages: consolePages(environment, addressOf),
    concerned: {
      wakeDeliveries: eventDeliveries.wake,
      wakeMessages,
      wakeMails,
      forgetKeys: keys.verifier.invalidate,
      reloadRehearsal: store.rehearsal?.reload,
    },
  });
}

interface ConsoleParts {
  readonly environment: Environment;
  readonly publicUrl: string | undefined;
  readonly store: StoreHandle;
  readonly endpoints: ReturnType<typeof petstoreEndpoints>;
  readonly stock: StockCounts;
  readonly feed: EventFeed;
}

/** Creates the console's route groups for signed-in people: one for the store, one for messages, and one for accounts. */
function consoleGroups(shared: Shared, parts: ConsoleParts) {
  const { environment, publicUrl, store, endpoints, stock, feed } = parts;
  const { deps, keys, limits, accounts, passwordCheck: check, messages, damage, addressOf } = shared;
  const { config, stores } = deps;
  const { signUp, smtpUrl } = config;
  const isSendingMail = smtpUrl !== undefined;
  const sessions = createSessions({ environment, config, publicUrl, accounts, addressOf });
  const common = { ...limits, authenticator: sessions.authenticator };
  const ofAccounts = { ...common, database: accounts };
  // The console's origin is not taken from a request, because the sender of the request can choose it.
  const identities = openIdentities(config, check, () => new URL(publicUrl ?? addressOf(environment)).origin);
  const { providerName } = identities;
  const facts = { environment, publicUrl, addressOf, signUp, providerName, isSendingMail };
  return [
    storeRoutes(
      { ...common, ...store },
      {
        accounts,
        messages: messages.database,
        endpoints,
        stock,
        feed,
        damage,
        flushActivity: keys.activity.flush,
      },
    ),
    messageRoutes({ ...common, ...messages }),
    transferRoutes(ofAccounts, environment, sessions, addressOf),
    accountRoutes(ofAccounts, {
      check,
      sessions,
      identities,
      getSession: createGetSession(store.database, facts),
      signUp,
      isSendingMail,
      stores,
      flushActivity: keys.activity.flush,
    }),
  ];
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
  /** The environment whose API keys are accepted. If absent, keys of both environments are accepted. */
  readonly environment?: Environment;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly routeGroups: readonly RouteGroup[];
  readonly pages: readonly StaticPage[];
  /**
   * The parts of the process, such as delivery workers, that are notified after this service's operations have changed something.
   */
  readonly concerned: Concerned;
}

function assemble(shared: Shared, store: StoreHandle, definition: ServiceDefinition): Service {
  const { name, environment, publicUrl, pages, concerned } = definition;
  const { keys, limits, accounts, addressOf } = shared;
  const { clock, log, metrics } = shared.deps;
  const effects = effectsOf(concerned);
  const following = ({ endpoints, ...group }: RouteGroup) => ({
    ...group,
    endpoints: withEffects(endpoints, effects),
  });
  const keyGroup = {
    path: definition.basePath,
    endpoints: definition.endpoints,
    pipeline: keyPipeline(name, environment, { store, verifier: keys.verifier, limits, clock, metrics }),
  };
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
    routeGroups: [following(keyGroup), ...definition.routeGroups.map(following)],
    pages: [...pages, ...referencePages(site), ...guidePages(site), faviconPage()],
    checks: [store.database.check, accounts.check],
  });
}
