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
  /** The lines that the service has logged so far, each as an object. */
  readonly logged: unknown[];
  /** Creates an API key in the same way as the command line. */
  makeKey(options?: {
    environment?: Environment;
    access?: AccessLevel;
    expiresAt?: number;
    /** The role of the account that owns the API key. By default, the key belongs to the operator's account. */
    role?: Role;
  }): Promise<{ id: string; token: string }>;
  /** Passes a request to a service without using its port. */
  send(service: ServiceName, request: string, options?: SendOptions): Promise<Response>;
  /** Passes a request to a service without using its port, and reads the whole response. */
  ask(service: ServiceName, request: string, options?: SendOptions): Promise<Reply>;
  /** Reads all pages of a list in production. `path` is the path of the first page, such as `/v1/pets?limit=7`. */
  readPages<Item>(key: string, path: string): Promise<readonly Page<Item>[]>;
  /** Returns the value of the metric with this name and these labels, or NaN if there is none. */
  reading(sample: string): Promise<number>;
}

interface Page<Item> {
  readonly path: string;
  /** The length of the body in characters. */
  readonly size: number;
  readonly items: readonly Item[];
}

/** Returns the account of a person with this role. If necessary, creates the owner's account first. */
async function accountWith(role: Role, ctx: Context) {
  await createOnce("owner@example.com", "owner");
  return createOnce(`${role}@example.com`, role);

  async function createOnce(email: string, given: Role) {
    const [known] = await ctx.query(selectAccountByEmail, [email]);
    return known ?? createAccount(ctx, { email, passwordHash: "", role: given });
  }
}

/**
 * Registers the tests for SQLite and for PostgreSQL. `store` returns the settings of a new store.
 *
 * @param options.always true if the results depend on the database engine. In the quick run, all other tests run on SQLite only.
 */
export function onEachEngine(suite: (store: () => Promise<Flags>) => void, { always = false } = {}): void {
  describe("on SQLite", () => suite(async () => ({})));
  if (isQuickRun && !always) return;
  describe.skipIf(!hasPostgres)("on PostgreSQL", () =>
    suite(async () => ({ databaseUrl: await freshDatabaseUrl() })),
  );
}

/** Resolves to the settings of a new store, for tests that open a database without a service. */
export async function freshSettings(store: () => Promise<Flags>) {
  const { dataDir } = await freshEmbeddedStore();
  return { dataDir, databaseUrl: (await store()).databaseUrl };
}

export function operatorContext(query: Query, now: number): Context {
  return { query, actor: { kind: "operator" }, now, randomBytes: systemRandomBytes };
}

export function openPort(
  { config, services }: TestApp,
  name: ServiceName,
  service = services[name],
): Listener {
  const [address] = bindAddressesFor(config, [name]);
  if (address === undefined || service === undefined) throw new Error(`There is no ${name}.`);
  return listen(address, service);
}

/** Creates everything that `petstore serve` runs, except the ports. It uses a real database and a test clock. */
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
