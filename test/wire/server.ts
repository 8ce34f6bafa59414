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
import { type Reply, type SendOptions, send } from "./send.ts";
import { type Addresses, environment, freshEmbeddedStore, freshPostgresStore, type Store } from "./stores.ts";

// The tests know the service only from outside: its ports and its command line. It runs in the test's own process.

export interface Server extends Addresses {
  readonly store: Store;
  stop(): Promise<unknown>;
}

interface StartOptions {
  readonly store: Store;
  readonly env?: Readonly<Record<string, string>>;
  /** The cheapest when left out. */
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

/** Starts all the services on free ports; an executable under test as a process. */
export async function startServer({
  store,
  env,
  passwordCost = CHEAP_PASSWORDS,
}: StartOptions): Promise<Server> {
  if (process.env["PETSTORE_TEST_PROGRAM"]) return startProcess({ store, ...(env && { env }) });
  if (env?.["PETSTORE_PROCESSES"]) throw new Error("Several processes: startProcess starts them.");
  const config = loadConfig({}, { ...environment(store), ...env });
  const { listeners, stop } = await serve(config, undefined, { log: SILENT, passwordCost });
  const addresses = Object.fromEntries(listeners.map(({ name, address }) => [name, address]));
  return { ...(addresses as unknown as Addresses), store, stop };
}

type Headers = Readonly<Record<string, string>>;
/** An object is sent as JSON, a text as it stands. */
type Body = string | Uint8Array | object;

/** Each service makes its document at the first request for it, and commands wait two seconds for an answer. */
export async function makeDocuments({ production, staging, messages }: Addresses): Promise<void> {
  const addresses = [production, staging, messages];
  await Promise.all(addresses.map((address) => fetch(new URL("/openapi.json", address))));
}

/** A service that runs from the first test of a block to its last, and a key of one of its stores. */
export interface ServedStore extends Server {
  readonly key: string;
  /** `GET /pets` with the key; also with a whole address, such as a next page's. */
  send(
    request: string,
    options?: Omit<SendOptions, "body"> & { readonly body?: Body | undefined },
  ): Promise<Reply>;
  get(path: string, headers?: Headers): Promise<Reply>;
  post(path: string, body?: Body | undefined, headers?: Headers): Promise<Reply>;
  /** Creates a resource; returns its identifier. */
  add(path: string, body?: Body): Promise<number>;
}

type ServedOptions = Omit<StartOptions, "store"> & { readonly environment?: Environment };

/** Its members are there once the tests of the block run. */
export function useStore({
  freshStore = freshEmbeddedStore,
  environment: of = "production",
  ...options
}: ServedOptions & { readonly freshStore?: () => Promise<Store> } = {}): ServedStore {
  const served = {
    send(request, { body, ...rest } = {}) {
      const [method = "", path = ""] = request.split(" ");
      const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      return send(method, path.startsWith("http") ? path : served[of] + path, {
        ...{ key: served.key, ...rest },
        ...(sent !== undefined && { body: sent }),
      });
    },
    get: (path, headers = {}) => served.send(`GET ${path}`, { headers }),
    post: (path, body, headers = {}) => served.send(`POST ${path}`, { headers, body }),
    add: async (path, body) => JSON.parse((await served.post(path, body)).body).id,
  } as ServedStore;
  beforeAll(async () => {
    const server = await startServer({ store: await freshStore(), ...options });
    Object.assign(served, server, { key: await makeKey(server.store, { environment: of }) });
  });
  // Not awaited: load balancers have 300 ms to notice an end.
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
 * Registers a suite for each engine.
 *
 * @param options.always true where the engine decides; other suites are on SQLite alone in the quick run
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
  /** The account's address; the local operator's when left out. */
  readonly account?: string;
}

/** A fresh API key, made in this process as the command line makes one. */
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
