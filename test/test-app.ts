import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, requireAccount } from "../src/accounts/accounts.ts";
import { selectAccountByEmail } from "../src/accounts/store.ts";
import type { Flags } from "../src/config/settings.ts";
import { type Config, loadConfig } from "../src/config.ts";
import type { Context, Environment, ServiceName } from "../src/context.ts";
import type { AccessLevel, Role } from "../src/contract/operation.ts";
import { createKey } from "../src/keys/verbs.ts";
import { systemRandomBytes } from "../src/platform/random.ts";
import { type App, createApp, type Overrides } from "../src/server/app.ts";
import { bindAddressesFor, type Listener, listen } from "../src/server/listener.ts";
import type { Query } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { readMetrics } from "../src/telemetry/metrics/metrics.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { hasPostgres } from "./machine.ts";
import { freshDatabaseUrl } from "./postgres/database.ts";
import { isQuickRun } from "./quick-run.ts";
import { type Reply, replyOf, type SendOptions } from "./wire/send.ts";
import { freshEmbeddedStore } from "./wire/stores.ts";

export interface TestApp extends App {
  readonly clock: TestClock;
  readonly config: Config;
  /** The fields of each line logged so far. */
  readonly logged: unknown[];
  /** Creates a key in the same way as the command line. */
  makeKey(options?: {
    environment?: Environment;
    access?: AccessLevel;
    expiresAt?: number;
    /** The role of the account that owns the key. By default, the key belongs to the operator's account. */
    role?: Role;
  }): Promise<{ id: string; token: string }>;
  /** Passes a request to a service in the same way as the service's port. */
  send(service: ServiceName, request: string, options?: SendOptions): Promise<Response>;
  /** Sends a request to a service, and reads the whole response. */
  ask(service: ServiceName, request: string, options?: SendOptions): Promise<Reply>;
  /** Reads all pages of a list in production, starting from a path such as `/v1/pets?limit=7`. */
  readPages<Item>(key: string, path: string): Promise<readonly Page<Item>[]>;
  /** Returns the value of a metric with this name and these labels, or NaN if there is none. */
  reading(sample: string): Promise<number>;
}

interface Page<Item> {
  readonly path: string;
  /** The length of the body in characters. */
  readonly size: number;
  readonly items: readonly Item[];
}

/** Returns the account of a person with this role. The owner's account is created first if it does not exist. */
async function accountWith(role: Role, ctx: Context) {
  await createOnce("owner@example.com", "owner");
  return createOnce(`${role}@example.com`, role);

  async function createOnce(email: string, given: Role) {
    const [known] = await ctx.query(selectAccountByEmail, [email]);
    return known ?? createAccount(ctx, { email, passwordHash: "", role: given });
  }
}

/**
 * Registers a suite for each engine. `store` returns the settings of a new store on that engine.
 *
 * @param options.always true if the results depend on the engine. In the quick run, all other suites run on SQLite only.
 */
export function onEachEngine(suite: (store: () => Promise<Flags>) => void, { always = false } = {}): void {
  describe("on SQLite", () => suite(async () => ({})));
  if (isQuickRun && !always) return;
  describe.skipIf(!hasPostgres)("on PostgreSQL", () =>
    suite(async () => ({ databaseUrl: await freshDatabaseUrl() })),
  );
}

/** Resolves to the settings of a new store, for databases that are opened without an app. */
export async function freshSettings(store: () => Promise<Flags>) {
  const { dataDir } = await freshEmbeddedStore();
  return { dataDir, databaseUrl: (await store()).databaseUrl };
}

export function operatorContext(query: Query, now: number): Context {
  return { query, actor: { kind: "operator" }, now, randomBytes: systemRandomBytes };
}

/** Opens the port that is configured for one of an app's services. */
export function openPort(
  { config, services }: TestApp,
  name: ServiceName,
  service = services[name],
): Listener {
  const [address] = bindAddressesFor(config, [name]);
  if (address === undefined || service === undefined) throw new Error(`There is no ${name}.`);
  return listen(address, service);
}

/** Creates the program of `petstore serve` without its ports, on a real database and with a test clock. */
export async function createTestApp(
  overrides: Overrides & { readonly clock?: TestClock } = {},
  flags: Flags = {},
): Promise<TestApp> {
  const dataDir = flags.dataDir ?? (await mkdtemp(join(tmpdir(), "petstore-")));
  const config = loadConfig({ ...flags, dataDir }, {});
  const { clock = createTestClock() } = overrides;
  const logged: unknown[] = [];
  const note = (fields: unknown) => void logged.push(fields);
  const log = { debug: note, info: note, warn: note, error: note, request: note };
  const app = await createApp(config, undefined, { log, passwordCost: CHEAP_PASSWORDS, ...overrides, clock });

  const test: TestApp = {
    ...app,
    clock,
    config,
    logged,
    async makeKey({ environment = "production", access = "read-write", expiresAt, role } = {}) {
      const database = await openDatabase("accounts", config);
      const { key, token } = await database.write(async (query) => {
        const ctx = operatorContext(query, clock.now());
        const { id: accountId } = await (role === undefined ? requireAccount(ctx) : accountWith(role, ctx));
        return createKey(ctx, { accountId, environment, access, name: "test", expiresAt });
      });
      await database.close();
      return { id: key.id, token };
    },
    async send(service, request, { key, body, headers } = {}) {
      const [method = "GET", path = "/"] = request.split(" ");
      const sent = new Headers({ Host: "petstore.test", ...headers });
      if (key !== undefined) sent.set("Authorization", `Bearer ${key}`);
      if (body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
      if (body !== undefined) sent.set("Content-Length", String(Buffer.byteLength(body)));
      const bytes = typeof body === "string" ? body : body?.slice();
      const init = { method, headers: sent, ...(bytes === undefined ? {} : { body: bytes }) };
      const response = await app.services[service]?.fetch(new Request(`http://petstore.test${path}`, init));
      if (response === undefined) throw new Error(`There is no service ${service}.`);
      return response;
    },
    async ask(...request) {
      const response = await test.send(...request);
      return replyOf(response.status, response.headers, await response.text());
    },
    async close() {
      await app.close();
      if (flags.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
    async readPages(key, path) {
      const pages = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const reply: Reply = await test.ask("production", `GET ${next}`, { key });
        pages.push({ path: next, size: reply.body.length, items: reply.json });
        next = /\/\/[^/]+([^>]+)>; rel="next"/.exec(reply.headers.get("Link") ?? "")?.[1];
      }
      return pages;
    },
    async reading(sample) {
      const { text } = await readMetrics(app.metrics);
      const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
      return Number(line?.slice(sample.length));
    },
  };
  return test;
}
