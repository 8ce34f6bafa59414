import { listAuditEntries } from "../accounts/audit/audit.ts";
import { auditOperations } from "../accounts/audit/contract.ts";
import { createIdentities } from "../accounts/identities/identities.ts";
import { createProvider } from "../accounts/identities/provider.ts";
import type { PasswordCheck } from "../accounts/passwords.ts";
import { MESSAGES } from "../api/endpoints.ts";
import type { Config } from "../config.ts";
import { ENVIRONMENTS, type Environment } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { Page } from "../contract/operation.ts";
import type { EventFeed } from "../events/feed.ts";
import type { Limits, RouteGroup } from "../http/call.ts";
import { type Endpoint, type Endpoints, endpoint, endpoints } from "../http/endpoint.ts";
import type { Idempotency } from "../http/idempotency/idempotency.ts";
import { entityTagOf } from "../http/response.ts";
import { PASSKEY_CHALLENGE_MS, SESSION_LIFE_MS } from "../limits.ts";
import { inboxOperations } from "../messages/contract.ts";
import { listMessages } from "../messages/verbs.ts";
import { isLoopbackHost } from "../platform/ip-address.ts";
import type { Database, Query } from "../storage/database.ts";
import type { DatabaseName } from "../storage/store-files.ts";
import { accountEndpoints, signedIn } from "./account-endpoints.ts";
import { activityEndpoint } from "./activity.ts";
import { consoleEvents } from "./console-events.ts";
import type { consoleOperations } from "./contract.ts";
import { developersEndpoint } from "./developers.ts";
import { identityEndpoints } from "./identity-endpoints.ts";
import { shareImportKeys } from "./import-keys.ts";
import { importsEndpoint, nameImportEndpoint, previewUndoEndpoint, undoImportEndpoint } from "./imports.ts";
import { keyEndpoints } from "./key-endpoints.ts";
import { lastChangesEndpoint } from "./last-changes.ts";
import { openOrdersEndpoint } from "./open-orders.ts";
import { overviewEndpoint } from "./overview.ts";
import { type RequireOrigin, requireOwnOrigin, requireProductionOrigin } from "./page-origins.ts";
import { passkeyEndpoints } from "./passkey-endpoints.ts";
import { invitationEndpoints, mailEndpoints, PEOPLE } from "./people-endpoints.ts";
import { type PetEndpoints, petLinesEndpoint } from "./pet-lines.ts";
import { createSessionAuthenticator } from "./session-authenticator.ts";
import { createCookie } from "./session-cookie.ts";
import { petCountsEndpoint, type StockCounts, usedCategoriesEndpoint } from "./stock-counts.ts";
import { transferEndpoint, transferTokenEndpoint } from "./transfer-endpoints.ts";

interface Store {
  readonly database: Database;
  readonly idempotency: Idempotency;
}

interface ConsoleOptions {
  readonly environment: Environment;
  readonly config: Config;
  readonly publicUrl: string | undefined;
  readonly accounts: Database;
  readonly check: PasswordCheck;
  readonly store: Store;
  readonly endpoints: Readonly<Record<string, Endpoint>> & PetEndpoints;
  readonly stock: StockCounts;
  readonly feed: EventFeed;
  readonly messages: Store;
  readonly stores: ReadonlyMap<DatabaseName, Database>;
  /** Number of problems that the last full check found, by database. */
  readonly damage: ReadonlyMap<DatabaseName, number>;
  readonly limits: Limits;
  readonly flushActivity: () => Promise<void>;
  readonly addressOf: (service: string) => string;
}

const PATH = "/console/api";

/** The console's API, authenticated by a session: the public operations, the account and its API keys. */
export function consoleRoutes(options: ConsoleOptions): readonly RouteGroup[] {
  const { environment, config, publicUrl, accounts, check, store, feed, messages, limits } = options;
  const { stores, damage, flushActivity, stock, addressOf } = options;
  const { signUp } = config;
  const isSecure = publicUrl?.startsWith("https:") ?? false;
  const cookie = createCookie(`petstore-${environment}`, SESSION_LIFE_MS, isSecure);
  const passkeyCookie = createCookie(`petstore-${environment}-passkey`, PASSKEY_CHALLENGE_MS, isSecure);
  const names = publicUrl !== undefined ? "public" : isLoopbackHost(config.host) ? "none" : "any";
  const { trustedProxies } = config;
  const authenticatorOf = (requireOrigin: RequireOrigin) =>
    createSessionAuthenticator({
      ...{ environment, accounts, cookie, passkeyCookie, trustedProxies },
      requireOrigin,
    });
  const authenticator = authenticatorOf(requireOwnOrigin(names, environment));
  const fromProduction = authenticatorOf(requireProductionOrigin(names, () => addressOf("production")));
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  const provider =
    issuer && clientId && clientSecret ? createProvider({ issuer, clientId, clientSecret }) : undefined;
  const identities = createIdentities({
    check,
    provider,
    // Never the request's own: who sends it chooses that.
    origin: () => new URL(publicUrl ?? addressOf(environment)).origin,
    signUp,
  });
  const shared = { ...options.endpoints, listEvents: consoleEvents(feed, accounts) };
  const operations = Object.values(shared).map(({ operation }) => operation);
  const own: Endpoints<typeof consoleOperations> = {
    getOverview: overviewEndpoint({ stock, accounts, messages: messages.database, damage }),
    getDeveloperNotices: developersEndpoint({
      accounts,
      messages: messages.database,
      operations,
      flushActivity,
    }),
    listOpenOrders: openOrdersEndpoint,
    countPets: petCountsEndpoint(stock),
    listUsedCategories: usedCategoriesEndpoint(stock),
    listLastChanges: lastChangesEndpoint(accounts),
    sendPetLines: petLinesEndpoint(options.endpoints),
  };
  const inbox = endpoints(inboxOperations, { listMessages });
  return [
    {
      path: PATH,
      pipeline: { ...limits, ...store, idempotency: shareImportKeys(store.idempotency), authenticator },
      endpoints: [
        ...Object.values(shared).map(withRowTags),
        ...Object.values(own),
        importsEndpoint,
        nameImportEndpoint,
        previewUndoEndpoint,
        undoImportEndpoint,
        activityEndpoint(accounts),
      ],
    },
    {
      path: PATH,
      pipeline: { ...limits, ...messages, authenticator },
      endpoints: [...Object.values(MESSAGES), ...Object.values(inbox)],
    },
    {
      path: PATH,
      pipeline: { ...limits, database: accounts, authenticator },
      endpoints: [
        ...Object.values(accountEndpoints({ ...options, cookie, provider: provider?.name })),
        ...Object.values(invitationEndpoints({ check, signUp, begin: signedIn(cookie) })),
        ...Object.values(passkeyEndpoints({ check, cookie: passkeyCookie, begin: signedIn(cookie) })),
        ...Object.values(identityEndpoints({ identities, cookie, pendingCookie: passkeyCookie })),
        ...Object.values(PEOPLE),
        ...Object.values(mailEndpoints(check, config.smtpUrl !== undefined)),
        ...Object.values(keyEndpoints(flushActivity)),
        auditEndpoint(accounts, stores),
        ...(environment === "production" ? [transferTokenEndpoint(PATH, () => addressOf("staging"))] : []),
      ],
    },
    {
      path: PATH,
      pipeline: { ...limits, database: accounts, authenticator: fromProduction },
      endpoints: environment === "staging" ? [transferEndpoint(cookie)] : [],
    },
  ];
}

/** Adds a strong `etag` to each row of a list: the console reads resources only as rows, and sends it as `If-Match`. */
function withRowTags(endpoint: Endpoint): Endpoint {
  if (!endpoint.operation.success.paged) return endpoint;
  return {
    ...endpoint,
    toResponse(result) {
      const page = result as Page<object>;
      const items = page.items.map((row) => ({ ...row, etag: entityTagOf(writeJson(row)) }));
      return { body: { ...page, items }, headers: {} };
    },
  };
}

/** Endpoint that lists the audit entries of all served databases. @param stores filled while the services start */
function auditEndpoint(accounts: Database, stores: ReadonlyMap<DatabaseName, Database>): Endpoint {
  return endpoint(auditOperations.listAuditEntries, ({ actor }, input) => {
    const sources = new Map<DatabaseName, Query>([["accounts", accounts.read]]);
    for (const name of ENVIRONMENTS) {
      const store = stores.get(name);
      if (store !== undefined) sources.set(name, store.read);
    }
    return listAuditEntries(actor, sources, input);
  });
}
