import { afterEach, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { forgetPages } from "./read-faults.ts";

// These tests damage a page of a SQLite file while the service is using it.

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
});

const PAGE_BYTES = 4096;

/** Starts a server whose animals are in the database file, but not yet in any cache. */
async function startWithPets(): Promise<{ store: Store; key: string; server: ServerProcess }> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const first = await startProcess({ store });
  const body = JSON.stringify({ name: "x".repeat(255), categoryId: 1 });
  await Promise.all(
    Array.from({ length: 300 }, () => send("POST", `${first.production}/pets`, { key, body })),
  );
  await first.stop();
  const server = await startProcess({ store });
  running.push(server);
  return { store, key, server };
}

/**
 * Overwrites the last quarter of the database pages that contain animals. No change appends to these pages. Returns a function that
 * restores them.
 */
function damage({ dataDir }: Store): () => void {
  const file = join(dataDir, "production.sqlite");
  const bytes = readFileSync(file);
  const pages = Array.from({ length: bytes.length / PAGE_BYTES }, (_, index) =>
    bytes.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES),
  );
  // The pages of the event log also contain the animals' names, but inside JSON.
  const isOfPets = (page: Buffer) => page.includes("x".repeat(255)) && !page.includes('"name":"x');
  const damaged = pages.filter(isOfPets);
  const last = damaged.slice(Math.floor(damaged.length * 0.75));
  const write = (contentOf: (page: Buffer) => Uint8Array) => {
    const descriptor = openSync(file, "r+");
    for (const page of last)
      writeSync(descriptor, contentOf(page), 0, PAGE_BYTES, page.byteOffset - bytes.byteOffset);
    closeSync(descriptor);
  };
  write(() => Buffer.alloc(PAGE_BYTES, 0xee));
  return () => write((page) => page);
}

test("requests that need the damaged page get 503, all others are answered, and readiness reports the damage while it lasts", async () => {
  const { store, key, server } = await startWithPets();
  const get = (address: string) => send("GET", address, { key });
  const ready = (service: "production" | "staging" | "messages") =>
    get(`${new URL(server[service]).origin}/readyz`);
  const repair = damage(store);
  const refused = await get(`${server.production}/pets?limit=100`);
  expect([refused.status, refused.json]).toEqual([
    503,
    { code: "unavailable", message: expect.any(String), status: 503 },
  ]);
  expect((await get(`${server.production}/pets/1`)).status).toBe(200);
  const notReady = await ready("production");
  expect(notReady.status).toBe(503);
  expect(notReady.json.message).toContain("petstore doctor --deep");
  expect((await ready("staging")).status).toBe(200);
  expect((await ready("messages")).status).toBe(200);
  repair();
  // SQLite still has the damaged page in its cache. It reads the repaired page only after the next commit.
  expect((await get(`${server.production}/categories`)).status).toBe(200);
  const category = { key, body: '{"name":"Cats"}' };
  expect((await send("POST", `${server.production}/categories`, category)).status).toBe(201);
  expect((await get(`${server.production}/pets?limit=100`)).status).toBe(200);
  expect((await ready("production")).status).toBe(200);
});

test("a write that hits the damaged page fails, and the other writes in its commit are stored", async () => {
  const { store, key, server } = await startWithPets();
  forgetPages(store, "production");
  damage(store);
  const change = (id: number) =>
    send("PATCH", `${server.production}/pets/${id}`, { key, body: '{"status":"sold"}' });
  const [first, last, second] = await Promise.all([1, 300, 2].map(change));
  expect([first?.status, last?.status, second?.status]).toEqual([200, 503, 200]);
  for (const id of [1, 2])
    expect((await send("GET", `${server.production}/pets/${id}`, { key })).body).toContain('"sold"');
});
