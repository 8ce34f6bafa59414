import { afterAll, beforeAll } from "bun:test";
import type { Flags } from "../src/config/settings.ts";
import type { Environment } from "../src/context.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createStoreCalls, type StoreCalls } from "./wire/store-calls.ts";

/** A service without ports that runs during a block of tests, and an API key for production or staging. */
export interface ServedApp extends StoreCalls {
  readonly app: TestApp;
  readonly key: string;
}

interface AppOptions {
  readonly environment?: Environment;
  readonly flags?: Flags;
}

/** Runs a service with a new store during a block of tests. The members of the returned object are set before the first test. */
export function useApp(
  store: () => Promise<Flags>,
  { environment = "production", flags = {} }: AppOptions = {},
): ServedApp {
  const calls = createStoreCalls((request, options) => {
    const [method = "", path = ""] = request.split(" ");
    const target = path.startsWith("http") ? path.slice(new URL(path).origin.length) : `/v1${path}`;
    return served.app.ask(environment, `${method} ${target}`, { key: served.key, ...options });
  });
  const served = { ...calls } as ServedApp;
  beforeAll(async () => {
    const app = await createTestApp({}, { ...(await store()), ...flags });
    Object.assign(served, { app, key: (await app.makeKey({ environment })).token });
  });
  afterAll(() => served.app.close());
  return served;
}
