import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../until.ts";
import { allIds, backupsIn, leftoversIn, restoredStore, settingsOf } from "./backups.ts";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

/** Stands for a day: a backup is made every second instead of every hour. */
const LOAD_MS = 24_000;
const CREATES_A_SECOND = 50;
const PET = '{"name":"x","categoryId":1}';

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

/** Start of a backup, from its name. */
function timeOf(name: string): number {
  return Date.parse(name.replace(/^.*-(....)(..)(..)T(..)(..)(.*Z).*$/, "$1-$2-$3T$4:$5:$6"));
}

test("a day of backups under load: each that is kept restores and serves, with all that was acknowledged before it began, and gives no identifier twice", async () => {
  const store = await freshEmbeddedStore();
  const folder = join(store.dataDir, "backups");
  const key = await makeKey(store);
  server = await startProcess({ store, env: settingsOf(folder, 4) });
  const { production } = server;
  const acknowledgedAt = new Map<number, number>();
  const endsAt = performance.now() + LOAD_MS;
  const clients = Array.from({ length: CREATES_A_SECOND }, async () => {
    while (performance.now() < endsAt) {
      const { status, body } = await send("POST", `${production}/pets`, { key, body: PET });
      expect(status).toBe(201);
      acknowledgedAt.set(JSON.parse(body).id, Date.now());
      await Bun.sleep(1000);
    }
  });
  await Promise.all(clients);
  expect(await server.stop()).toBe(0);
  expect(server.log()).not.toContain("a backup failed");
  expect(leftoversIn(folder)).toEqual([]);
  const kept = backupsIn(folder);
  expect(kept).toHaveLength(4);
  for (const name of kept) {
    server = await startProcess({ store: await restoredStore(join(folder, name)) });
    const ids = await allIds(server, key);
    const before = [...acknowledgedAt].filter(([, at]) => at < timeOf(name)).map(([id]) => id);
    expect(before.length).toBeGreaterThan(CREATES_A_SECOND);
    expect([name, before.filter((id) => !ids.has(id))]).toEqual([name, []]);
    expect([name, [...ids].filter((id) => !acknowledgedAt.has(id))]).toEqual([name, []]);
    const { status, body } = await send("POST", `${server.production}/pets`, { key, body: PET });
    // Not even an identifier given out after this backup is reused, although its animal is gone.
    expect([status, acknowledgedAt.has(JSON.parse(body).id)]).toEqual([201, false]);
    await server.kill();
  }
});

test("a backup under way ends with the service: nothing of it is left", async () => {
  const store = await freshEmbeddedStore();
  const folder = join(store.dataDir, "backups");
  await petstore(store, ["migrate"]);
  const production = new Database(join(store.dataDir, "production.sqlite"));
  production.run(`INSERT INTO pet (name, category_id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    SELECT hex(randomblob(25000)), 1 FROM n`);
  production.close();
  server = await startProcess({ store, env: settingsOf(folder) });
  await until(() => leftoversIn(folder).length > 0);
  expect(await server.stop()).toBe(0);
  server = undefined;
  expect(leftoversIn(folder)).toEqual([]);
});
