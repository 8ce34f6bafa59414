import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, requireAccount } from "../src/accounts/accounts.ts";
import { selectAccountByEmail } from "../src/accounts/store.ts";
import { type Config, type Flags, loadConfig } from "../src/config.ts";
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
import { freshEmbeddedStore } from "./wire/stores.ts";

export interface TestApp extends App {
  readonly clock: TestClock;
  readonly config: Config;
  /** Everything it has logged. */
  readonly logged: unknown[];
  /** A fresh key, made as the command line makes one. */
  makeKey(options?: {
    environment?: Environment;
    access?: AccessLevel;
    expiresAt?: number;
    /** Of another account than the operator's. */
    role?: Role;
  }): Promise<{ id: string; token: string }>;
  /** One request to a service, as its port would hand it over. */
  send(
    service: ServiceName,
    request: string,
    options?: { key?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  /** The pages of a list of production, from this path on: `/v1/pets?limit=7`. */
  readPages<Item>(key: string, path: string): Promise<readonly Page<Item>[]>;
  /** A sample of the metrics by its name and labels; NaN where there is none. */
  reading(sample: string): Promise<number>;
}

interface Page<Item> {
  readonly path: string;
  /** In characters. */
  readonly size: number;
  readonly items: readonly Item[];
}

/** An account of people's, beside an owner's. */
async function accountWith(role: Role, ctx: Context) {
  await createOnce("owner@example.com", "owner");
  return createOnce(`${role}@example.com`, role);

  async function createOnce(email: string, given: Role) {
    const [known] = await ctx.query(selectAccountByEmail, [email]);
    return known ?? createAccount(ctx, { email, passwordHash: "", role: given });
  }
}

/**
 * Registers a suite for each engine; `store` are the settings of a fresh store on it.
 *
 * @param options.always true where the engine decides; other suites are on SQLite alone in the quick run
 */
export function onEachEngine(suite: (store: () => Promise<Flags>) => void, { always = false } = {}): void {
  describe("on SQLite", () => suite(async () => ({})));
  if (isQuickRun && !always) return;
  describe.skipIf(!hasPostgres)("on PostgreSQL", () =>
    suite(async () => ({ databaseUrl: await freshDatabaseUrl() })),
  );
}

/** The settings of a fresh store, for databases that are opened without an app. */
export async function freshSettings(store: () => Promise<Flags>) {
  const { dataDir } = await freshEmbeddedStore();
  return { dataDir, databaseUrl: (await store()).databaseUrl };
}

export function operatorContext(query: Query, now: number): Context {
  return { query, actor: { kind: "operator" }, now, randomBytes: systemRandomBytes, requestId: "" };
}

/** A service of an app on the port of its settings. */
export function openPort(
  { config, services }: TestApp,
  name: ServiceName,
  service = services[name],
): Listener {
  const [address] = bindAddressesFor(config, [name]);
  if (address === undefined || service === undefined) throw new Error(`There is no ${name}.`);
  return listen(address, service);
}

/** The program that `petstore serve` runs, without its ports, on a real database and with the test's clock. */
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
      const init = { method, headers: sent, ...(body === undefined ? {} : { body }) };
      const response = await app.services[service]?.fetch(new Request(`http://petstore.test${path}`, init));
      if (response === undefined) throw new Error(`There is no service ${service}.`);
      return response;
    },
    async close() {
      await app.close();
      if (flags.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
    async readPages(key, path) {
      const pages = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const response: Response = await test.send("production", `GET ${next}`, { key });
        const text = await response.text();
        pages.push({ path: next, size: text.length, items: JSON.parse(text) });
        next = /\/\/[^/]+([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
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
