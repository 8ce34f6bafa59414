import { afterAll, beforeAll, describe } from "bun:test";
import { requireAccount } from "../../src/accounts/accounts.ts";
import type { PasswordCost } from "../../src/accounts/passwords.ts";
import { loadConfig } from "../../src/config.ts";
import type { Environment } from "../../src/context.ts";
import type { AccessLevel } from "../../src/contract/operation.ts";
import { createKey } from "../../src/keys/verbs.ts";
import { serve } from "../../src/server/serve.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { CHEAP_PASSWORDS } from "../cheap-passwords.ts";
import { hasPostgres } from "../machine.ts";
import { isQuickRun } from "../quick-run.ts";
import { operatorContext } from "../test-app.ts";
import { type ProcessOptions, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { createStoreCalls, type StoreCalls } from "./store-calls.ts";
import {
  type Addresses,
  environment,
  freshEmbeddedStore,
  freshPostgresStore,
  OPEN_SIGN_UP,
  type Store,
} from "./stores.ts";

// The service runs in the same process as the tests, but they use it only from outside, through its ports and its command line.

export interface Server extends Addresses {
  readonly store: Store;
  stop(): Promise<unknown>;
}

interface StartOptions {
  readonly store: Store;
  readonly env?: Readonly<Record<string, string>>;
  /** The cost of hashing passwords. By default, it is as low as possible. */
  readonly passwordCost?: PasswordCost;
}

const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  request() {},
  flush: async () => {},
  droppedLines: () => 0,
};

/**
 * Starts all services of petstore on free ports, in this process. If PETSTORE_TEST_PROGRAM names an executable, starts it as a
 * separate process instead.
 */
export async function startServer({
  store,
  env,
  passwordCost = CHEAP_PASSWORDS,
}: StartOptions): Promise<Server> {
  if (process.env["PETSTORE_TEST_PROGRAM"]) return startProcess({ store, ...(env && { env }) });
  if (env?.["PETSTORE_PROCESSES"]) throw new Error("Several processes: startProcess starts them.");
  const config = loadConfig({}, { ...environment(store), ...OPEN_SIGN_UP, ...env });
  const { listeners, stop } = await serve(config, undefined, { log: SILENT, passwordCost });
  const addresses = Object.fromEntries(listeners.map(({ name, address }) => [name, address]));
  return { ...(addresses as unknown as Addresses), store, stop };
}

/**
 * Requests the OpenAPI document of each service. A service builds it at the first request, which may take longer than the 4 s that
 * a command waits.
 */
export async function makeDocuments({ production, staging, messages }: Addresses): Promise<void> {
  const addresses = [production, staging, messages];
  await Promise.all(addresses.map((address) => fetch(new URL("/openapi.json", address))));
}

/** A service that runs during a block of tests, and an API key for production or staging. */
export interface ServedStore extends Server, StoreCalls {
  readonly key: string;
}

type ServedOptions = Omit<StartOptions, "store"> & { readonly environment?: Environment };

/** Runs a service during a block of tests. The members of the returned object are set before the first test. */
export function useStore({
  freshStore = freshEmbeddedStore,
  environment: of = "production",
  ...options
}: ServedOptions & { readonly freshStore?: () => Promise<Store> } = {}): ServedStore {
  const calls = createStoreCalls((request, options) => {
    const [method = "", path = ""] = request.split(" ");
    const address = path.startsWith("http") ? path : served[of] + path;
    return send(method, address, { key: served.key, ...options });
  });
  const served = { ...calls } as ServedStore;
  beforeAll(async () => {
    const server = await startServer({ store: await freshStore(), ...options });
    Object.assign(served, server, { key: await makeKey(server.store, { environment: of }) });
  });
  // The service takes 300 ms to stop, so that load balancers notice it. The tests do not wait for that.
  afterAll(() => void served.stop());
  return served;
}

interface EngineTools {
  readonly freshStore: () => Promise<Store>;
  readonly startServer: (options?: Partial<StartOptions>) => Promise<Server>;
  readonly startProcess: (options?: Partial<ProcessOptions>) => Promise<ServerProcess>;
  readonly useStore: (options?: ServedOptions) => ServedStore;
}

/**
 * Registers the tests for SQLite and for PostgreSQL.
 *
 * @param options.always true if the results depend on the database engine. In the quick run, all other tests run on SQLite only.
 */
export function onBothEngines(suite: (tools: EngineTools) => void, { always = false } = {}): void {
  for (const [engine, freshStore] of [
    ["SQLite", freshEmbeddedStore],
    ["PostgreSQL", freshPostgresStore],
  ] as const) {
    if (engine === "PostgreSQL" && isQuickRun && !always) continue;
    describe.skipIf(engine === "PostgreSQL" && !hasPostgres)(`on ${engine}`, () =>
      suite({
        freshStore,
        startServer: async (options = {}) =>
          startServer({ ...options, store: options.store ?? (await freshStore()) }),
        startProcess: async (options = {}) =>
          startProcess({ ...options, store: options.store ?? (await freshStore()) }),
        useStore: (options = {}) => useStore({ ...options, freshStore }),
      }),
    );
  }
}

interface KeyOptions {
  readonly environment?: Environment;
  readonly access?: AccessLevel;
  readonly name?: string;
  /** The email address of the account that owns the API key. By default, it is the local operator's account. */
  readonly account?: string;
}

/** Creates an API key in this process, in the same way as the command line. */
export async function makeKey(store: Store, options: KeyOptions = {}): Promise<string> {
  const { environment: of = "production", access = "read-write", name = "command line", account } = options;
  const database = await openDatabase("accounts", loadConfig({}, environment(store)));
  const { token } = await database.write(async (query) => {
    const ctx = operatorContext(query, Date.now());
    const { id: accountId } = await requireAccount(ctx, account);
    return createKey(ctx, { accountId, environment: of, access, name });
  });
  await database.close();
  return token;
}
