import { afterEach, beforeEach } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Flags } from "../src/config/settings.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

/** Runs several services on one store, as separate processes would. Each test gets a new store. */
export function appsOnOneStore(store: () => Promise<Flags>) {
  let flags: Flags = {};
  let apps: TestApp[] = [];
  async function closeAll(): Promise<void> {
    for (const app of apps.splice(0)) await app.close();
  }
  beforeEach(async () => {
    flags = { dataDir: await mkdtemp(join(tmpdir(), "petstore-")), ...(await store()) };
    apps = [];
  });
  afterEach(async () => {
    await closeAll();
    await rm(flags.dataDir ?? "", { recursive: true, force: true });
  });
  return {
    async start(overrides: Parameters<typeof createTestApp>[0] = {}, settings: Flags = {}): Promise<TestApp> {
      const app = await createTestApp(overrides, { ...flags, ...settings });
      apps.push(app);
      return app;
    },
    closeAll,
  };
}
