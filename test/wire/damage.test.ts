import { afterEach, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";
import { backupsIn, settingsOf } from "./backups.ts";
import { BEHIND_PROXY, signUp } from "./browser-session.ts";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

// While it runs, the service checks all stored data for damage, and reports what it finds.

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

async function storeWithPet(): Promise<{ store: Store; key: string; folder: string }> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const first = await startProcess({ store });
  const body = '{"name":"Whiskers","categoryId":7,"status":"available"}';
  expect((await send("POST", `${first.production}/pets`, { key, body })).status).toBe(201);
  await first.stop();
  return { store, key, folder: join(store.dataDir, "backups") };
}

function overwrite({ dataDir }: Store, from: string, to: string): void {
  const file = join(dataDir, "production.sqlite");
  const offset = readFileSync(file).indexOf(from, 0, "latin1");
  expect(offset).toBeGreaterThan(0);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.from(to, "latin1"), 0, to.length, offset);
  closeSync(descriptor);
}

async function problemsIn(running: ServerProcess, database: string): Promise<number> {
  const { body } = await send("GET", running.metrics);
  return Number(
    new RegExp(`^petstore_damage_problems\\{database="${database}"\\} (.*)$`, "m").exec(body)?.[1],
  );
}

async function readinessOf(running: ServerProcess): Promise<readonly number[]> {
  const services = [running.production, running.staging, running.messages];
  const replies = await Promise.all(services.map((one) => send("GET", `${new URL(one).origin}/readyz`)));
  return replies.map(({ status }) => status);
}

test("a changed bit is reported in the log, a metric and the console until it is repaired; the service stays ready", async () => {
  const { store, key, folder } = await storeWithPet();
  server = await startProcess({ store, env: { ...settingsOf(folder), ...BEHIND_PROXY } });
  const running = server;
  const owner = await signUp(running, "owner@example.com");
  const damaged = async () => (await owner.read("/overview")).attention.damaged;
  await running.logged('"problems":0,"msg":"a backup was made"');
  expect([await damaged(), await problemsIn(running, "production")]).toEqual([[], 0]);

  overwrite(store, "Whiskers\x07available", "Whiskers\x06available");
  await running.logged("damage was found; run petstore doctor --deep");
  expect(running.log()).toContain('"problem":"pet: row 1 missing from index pet_by_category');
  // From now on, backups fail, because they would contain the damage.
  await running.logged("a backup failed; the next attempt is at the next scheduled time");
  await until(async () => (await problemsIn(running, "production")) > 0);
  expect([await damaged(), await problemsIn(running, "staging")]).toEqual([["production"], 0]);
  const viewer = await signUp(running, "viewer@example.com");
  expect((await viewer.read("/overview")).attention.damaged).toEqual([]);
  expect(await readinessOf(running)).toEqual([200, 200, 200]);
  expect((await send("GET", `${running.production}/pets/1`, { key })).status).toBe(200);

  overwrite(store, "Whiskers\x06available", "Whiskers\x07available");
  await until(async () => (await problemsIn(running, "production")) === 0);
  expect(await damaged()).toEqual([]);
  // The service stops cleanly even while it is checking its data for damage.
  expect(await running.stop()).toBe(0);
  server = undefined;
});

test("petstore backup of a store with invalid UTF-8 makes the backup, reports the damage and exits with 1", async () => {
  const { store, folder } = await storeWithPet();
  overwrite(store, "Whiskers", "Whisk\xe5rs");
  const { code, err } = await petstore(store, ["backup", "--keep", "2", folder]);
  expect(code).toBe(1);
  expect(err).toContain("fail  contents production: pet: row 1: name is not UTF-8 text. ");
  expect(backupsIn(folder)).toHaveLength(1);
  server = await startProcess({ store, env: settingsOf(folder) });
  await server.logged('"problems":1,"msg":"a backup was made"');
  expect(await problemsIn(server, "production")).toBe(1);
});
