import { listAuditEntries } from "../accounts/audit/audit.ts";
import { auditOperations } from "../accounts/audit/contract.ts";
import { createIdentities, type Identities } from "../accounts/identities/identities.ts";
import { createProvider } from "../accounts/identities/provider.ts";
import type { PasswordCheck } from "../accounts/passwords.ts";
import { MESSAGES } from "../api/endpoints.ts";
import type { Config } from "../config.ts";
import { ENVIRONMENTS, type Environment, type SignUp } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { Page } from "../contract/operation.ts";
import type { EventFeed } from "../events/feed.ts";
import type { Authenticator, Pipeline, RouteGroup } from "../http/call.ts";
import { type Endpoint, type Endpoints, endpoint, endpoints } from "../http/endpoint.ts";
import type { Idempotency } from "../http/idempotency/idempotency.ts";
import { entityTagOf } from "../http/response.ts";
import { PASSKEY_CHALLENGE_MS, SESSION_LIFE_MS } from "../limits.ts";
import { inboxOperations } from "../messages/contract.ts";
import { listMessages } from "../messages/verbs.ts";
import { isLoopbackHost } from "../platform/ip-address.ts";
import type { Database, Query } from "../storage/database.ts";
import type { DatabaseName } from "../storage/store-files.ts";
import { accountEndpoints, type GetSession, signedIn } from "./account-endpoints.ts";
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
import { createCookie, type SessionCookie } from "./session-cookie.ts";
import { petCountsEndpoint, type StockCounts, usedCategoriesEndpoint } from "./stock-counts.ts";
import { transferEndpoint, transferTokenEndpoint } from "./transfer-endpoints.ts";

const PATH = "/console/api";

interface Sessions {
  readonly authenticator: Authenticator;
  /** Authenticates the requests that production's console sends to sign a person in to staging's console. */
  readonly fromProduction: Authenticator;
  readonly cookie: SessionCookie;
  /** The cookie that holds the token of an unfinished sign-in, either with a passkey or at a provider. */
  readonly pendingCookie: SessionCookie;
}

interface SessionsOptions {
  readonly environment: Environment;
  readonly config: Pick<Config, "host" | "trustedProxies">;
  readonly publicUrl: string | undefined;
  readonly accounts: Database;
  readonly addressOf: (service: string) => string;
}

/** Creates the cookies of one environment's console, and the authenticators that read them. */
export function createSessions(options: SessionsOptions): Sessions {
  const { environment, config, publicUrl, accounts, addressOf } = options;
  const isSecure = publicUrl?.startsWith("https:") ?? false;
  const cookie = createCookie(`petstore-${environment}`, SESSION_LIFE_MS, isSecure);
  const pendingCookie = createCookie(`petstore-${environment}-passkey`, PASSKEY_CHALLENGE_MS, isSecure);
  const names = publicUrl !== undefined ? "public" : isLoopbackHost(config.host) ? "none" : "any";
  const authenticatorOf = (requireOrigin: RequireOrigin) =>
    createSessionAuthenticator({
      ...{ environment, accounts, cookie, requireOrigin },
      passkeyCookie: pendingCookie,
      trustedProxies: config.trustedProxies,
    });
  return {
    authenticator: authenticatorOf(requireOwnOrigin(names, environment)),
    fromProduction: authenticatorOf(requireProductionOrigin(names, () => addressOf("production"))),
    cookie,
    pendingCookie,
  };
}

/**
 * Sets up sign-in with the configured provider, if there is one.
 *
 * @param origin a function that returns the console's origin, according to the settings
 */
export function openIdentities(config: Config, check: PasswordCheck, origin: () => string): Identities {
  const { signUp, oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  const provider =
    issuer && clientId && clientSecret ? createProvider({ issuer, clientId, clientSecret }) : undefined;
  return createIdentities({ check, provider, origin, signUp });
}

interface StoreParts {
  readonly accounts: Database;
  readonly messages: Database;
  readonly endpoints: Readonly<Record<string, Endpoint>> & PetEndpoints;
  readonly stock: StockCounts;
  readonly feed: EventFeed;
  readonly damage: ReadonlyMap<DatabaseName, number>;
  readonly flushActivity: () => Promise<void>;
}

/**
 * Returns the console's operations on the store of an environment: those of the public API, the overview, the activity list, and
 * imports.
 */
export function storeRoutes(
  pipeline: Pipeline & { readonly idempotency: Idempotency },
  { accounts, messages, endpoints, stock, feed, damage, flushActivity }: StoreParts,
): RouteGroup {
  const shared = { ...endpoints, listEvents: consoleEvents(feed, accounts) };
  const operations = Object.values(shared).map(({ operation }) => operation);
  const own: Endpoints<typeof consoleOperations> = {
    getOverview: overviewEndpoint({ stock, accounts, messages, damage }),
    getDeveloperNotices: developersEndpoint({ accounts, messages, operations, flushActivity }),
    listOpenOrders: openOrdersEndpoint,
    countPets: petCountsEndpoint(stock),
    listUsedCategories: usedCategoriesEndpoint(stock),
    listLastChanges: lastChangesEndpoint(accounts),
    sendPetLines: petLinesEndpoint(endpoints),
  };
  return {
    path: PATH,
    pipeline: { ...pipeline, idempotency: shareImportKeys(pipeline.idempotency) },
    endpoints: [
      ...Object.values(shared).map(withRowTags),
      ...Object.values(own),
      importsEndpoint,
      nameImportEndpoint,
      previewUndoEndpoint,
      undoImportEndpoint,
      activityEndpoint(accounts),
    ],
  };
}

export function messageRoutes(pipeline: Pipeline): RouteGroup {
  const inbox = endpoints(inboxOperations, { listMessages });
  return { path: PATH, pipeline, endpoints: [...Object.values(MESSAGES), ...Object.values(inbox)] };
}

interface AccountParts {
  readonly check: PasswordCheck;
  readonly sessions: Sessions;
  readonly identities: Identities;
  readonly getSession: GetSession;
  readonly signUp: SignUp;
  readonly isSendingMail: boolean;
  readonly stores: ReadonlyMap<DatabaseName, Database>;
  readonly flushActivity: () => Promise<void>;
}

/** Returns the console's operations on accounts: sign-in, people, API keys, and the audit log. */
export function accountRoutes(
  pipeline: Pipeline,
  { check, sessions, identities, getSession, signUp, isSendingMail, stores, flushActivity }: AccountParts,
): RouteGroup {
  const { cookie, pendingCookie } = sessions;
  const begin = signedIn(cookie);
  return {
    path: PATH,
    pipeline,
    endpoints: [
      ...Object.values(accountEndpoints({ check, cookie, signUp, getSession })),
      ...Object.values(invitationEndpoints({ check, signUp, begin })),
      ...Object.values(passkeyEndpoints({ check, cookie: pendingCookie, begin })),
      ...Object.values(identityEndpoints({ identities, cookie, pendingCookie })),
      ...Object.values(PEOPLE),
      ...Object.values(mailEndpoints(check, isSendingMail)),
      ...Object.values(keyEndpoints(flushActivity)),
      auditEndpoint(check.accounts, stores),
    ],
  };
}

/**
 * Returns the routes that take people from production's console to staging's console without another sign-in. Production creates
 * a token, and staging accepts the token from a page of production.
 */
export function transferRoutes(
  pipeline: Pipeline,
  environment: Environment,
  { fromProduction, cookie }: Sessions,
  addressOf: (service: string) => string,
): RouteGroup {
  return environment === "production"
    ? { path: PATH, pipeline, endpoints: [transferTokenEndpoint(PATH, () => addressOf("staging"))] }
    : {
        path: PATH,
        pipeline: { ...pipeline, authenticator: fromProduction },
        endpoints: [transferEndpoint(cookie)],
      };
}

/**
 * Adds a strong `etag` to each item of a list. The console reads resources only as items of lists, and sends these tags in
 * `If-Match`.
 */
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

/**
 * Creates the endpoint that lists the audit entries of all open databases.
 *
 * @param stores the databases that are open so far; the map is filled while the services start
 */
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
