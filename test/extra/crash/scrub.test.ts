import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../until.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";

// The service checks all contents by itself, and tells what it found.

const PRELOAD = Bun.fileURLToPath(new URL("short-waits.ts", import.meta.url));

let store: Store;
let key: string;
let server: ServerProcess;
beforeAll(async () => {
  store = await freshEmbeddedStore();
  key = await makeKey(store);
  const first = await startProcess({ store });
  const body = '{"name":"Whiskers","categoryId":7,"status":"available"}';
  expect((await send("POST", `${first.production}/pets`, { key, body })).status).toBe(201);
  await first.stop();
  server = await startProcess({ store, env: { BUN_OPTIONS: `--preload=${PRELOAD}` } });
}, 120_000);
afterAll(() => server.kill());

const statusOf = async (service: "production" | "staging" | "messages") =>
  (await send("GET", `${new URL(server[service]).origin}/readyz`)).status;
const metric = async (line: string) => (await send("GET", server.metrics)).body.includes(`\n${line}\n`);

/** Overwrites bytes of the file in place. */
function overwrite(from: string, to: string): void {
  const file = join(store.dataDir, "production.sqlite");
  const offset = readFileSync(file).indexOf(from, 0, "latin1");
  expect(offset).toBeGreaterThan(0);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.from(to, "latin1"), 0, to.length, offset);
  closeSync(descriptor);
}

test("a flipped bit is in the log, in a metric and in readiness, until it is gone; every request is answered", async () => {
  await server.logged('"problems":0,"msg":"all contents were checked"');
  expect(await statusOf("production")).toBe(200);
  expect(await metric('petstore_scrub_problems{database="production"} 0')).toBe(true);
  overwrite("Whiskers\x07available", "Whiskers\x06available");
  await server.logged("damage was found; run petstore doctor --deep");
  expect(server.log()).toContain('"problem":"pet: row 1 missing from index pet_by_category');
  await until(async () => (await statusOf("production")) === 503);
  expect([await statusOf("staging"), await statusOf("messages")]).toEqual([200, 200]);
  expect(await metric('petstore_scrub_problems{database="staging"} 0')).toBe(true);
  expect(await metric('petstore_scrub_problems{database="production"} 0')).toBe(false);
  expect((await send("GET", `${server.production}/pets/1`, { key })).status).toBe(200);
  overwrite("Whiskers\x06available", "Whiskers\x07available");
  await until(async () => (await statusOf("production")) === 200);
}, 120_000);

test("a service that ends ends the check, too", async () => {
  expect(await server.stop()).toBe(0);
}, 120_000);
