import { afterEach, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

// The data folder or one of its files disappears while the service runs. After that, the service must not acknowledge a write that
// would be lost.

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

const PET = '{"name":"Fluffy","categoryId":1}';

async function served(): Promise<{ running: ServerProcess; store: Store; key: string }> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const running = await startProcess({ store });
  server = running;
  expect((await send("POST", `${running.production}/pets`, { key, body: PET })).status).toBe(201);
  return { running, store, key };
}

/** Resolves to the status of a response, or to 0 if there is no response. */
const statusOf = (reply: Promise<{ status: number }>) => reply.then(({ status }) => status).catch(() => 0);

const WAYS: Readonly<Record<string, (dataDir: string) => void>> = {
  "production is removed": (dataDir) => rmSync(join(dataDir, "production.sqlite")),
  "production is replaced by a copy of itself": (dataDir) => {
    copyFileSync(join(dataDir, "production.sqlite"), join(dataDir, "copy"));
    renameSync(join(dataDir, "copy"), join(dataDir, "production.sqlite"));
  },
  "production is emptied": (dataDir) => truncateSync(join(dataDir, "production.sqlite"), 0),
  "its log is removed": (dataDir) => rmSync(join(dataDir, "production.sqlite-wal")),
  "the folder is renamed": (dataDir) => renameSync(dataDir, `${dataDir}-renamed`),
  "the folder is removed": (dataDir) => rmSync(dataDir, { recursive: true }),
};

describe("under a running service", () => {
  for (const [title, vanish] of Object.entries(WAYS)) {
    test(`${title}: the service acknowledges nothing more, is not ready, and stops with one log line`, async () => {
      const { running, store, key } = await served();
      vanish(store.dataDir);
      const replies = await Promise.all([
        ...Array.from({ length: 20 }, () =>
          statusOf(send("POST", `${running.production}/pets`, { key, body: PET })),
        ),
        statusOf(send("GET", `${new URL(running.production).origin}/readyz`)),
      ]);
      expect(replies.filter((status) => status !== 503 && status !== 0)).toEqual([]);
      expect(await running.exited).toBe(1);
      const said = running.log().split("was removed or replaced; nothing more is written").length - 1;
      expect(said).toBe(1);
    });
  }

  for (const name of ["accounts", "staging", "messages"]) {
    test(`${name} is removed: the service ends even without a request`, async () => {
      const { running, store } = await served();
      rmSync(join(store.dataDir, `${name}.sqlite`));
      expect(await running.exited).toBe(1);
      expect(running.log()).toContain(
        `${name}.sqlite was removed, replaced or truncated while it was in use.`,
      );
      const { code, err } = await petstore(store, ["serve"]);
      expect([code, err]).toEqual([1, expect.stringContaining(`${name}.sqlite is missing`)]);
      expect(readdirSync(store.dataDir)).not.toContain(`${name}.sqlite`);
    });
  }
});
