import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../random.ts";
import { petstore, type ServerProcess, startProcess } from "../../wire/process.ts";
import { type Reply, send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { type CrashDisk, createCrashDisk } from "./disk-control.ts";

// Tests a store on a full disk, on a disk that fails during SQLite's checkpoint, and with damage in a database file.

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
});

interface Bench {
  readonly store: Store;
  readonly disk: CrashDisk;
  readonly key: string;
  readonly server: ServerProcess;
}

async function startOnDisk(): Promise<Bench> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const disk = createCrashDisk(store);
  const server = await startProcess({ store, env: disk.mount() });
  running.push(server);
  return { store, disk, key, server };
}

async function restart({ store }: Bench): Promise<ServerProcess> {
  const server = await startProcess({ store });
  running.push(server);
  return server;
}

const addPet = ({ key }: Bench, server: ServerProcess, name: string): Promise<Reply> =>
  send("POST", `${server.production}/pets`, { key, body: JSON.stringify({ name, categoryId: 1 }) });

async function namesOf({ key }: Bench, server: ServerProcess): Promise<string[]> {
  const page = await send("GET", `${server.production}/pets?limit=100`, { key });
  expect(page.status).toBe(200);
  return page.json.map((pet: { name: string }) => pet.name);
}

describe("a disk that is full", () => {
  test("writes get 503 and reads succeed until there is room again", async () => {
    const bench = await startOnDisk();
    const { server, disk, key } = bench;
    expect((await addPet(bench, server, "before")).status).toBe(201);
    disk.set("full");
    for (const name of ["a", "b", "c"]) {
      const refused = await addPet(bench, server, name);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("Retry-After")).toBe("1");
      expect(refused.json).toMatchObject({ code: "unavailable", status: 503 });
    }
    expect(await namesOf(bench, server)).toEqual(["before"]);
    expect((await send("GET", `${server.production}/pets/1`, { key })).status).toBe(200);
    expect((await send("GET", server.production.replace("/v1", "/readyz"))).status).toBe(200);
    disk.set("none");
    expect((await addPet(bench, server, "after")).status).toBe(201);
    await server.kill();
    expect(await namesOf(bench, await restart(bench))).toEqual(["after", "before"]);
  });
});

describe("a disk that fails when the log is written back", () => {
  test("nothing is lost even by a power loss, because the log is kept until it has been written back", async () => {
    const bench = await startOnDisk();
    const { store, server, disk } = bench;
    disk.set("checkpointFails");
    const long = "x".repeat(255);
    const fillLog = async () => {
      // The write-ahead log grows by several pages with each commit. At 1,000 pages, SQLite starts a checkpoint.
      for (let count = 0; count < 300; count++) expect((await addPet(bench, server, long)).status).toBe(201);
    };
    await fillLog();
    expect(statSync(join(store.dataDir, "production.sqlite-wal")).size).toBeGreaterThan(1_000 * 4096);
    disk.set("none");
    await fillLog();
    await server.kill();
    disk.losePower({ ...createRandom(1), next: () => 0, chance: () => false });
    const production = new Database(join(store.dataDir, "production.sqlite"));
    expect(production.query<{ count: number }, []>("SELECT count(*) AS count FROM pet").get()?.count).toBe(
      600,
    );
    expect(production.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()).toEqual([
      { integrity_check: "ok" },
    ]);
    production.close();
  });
});

const PAGE_BYTES = 4096;

async function usedStore(): Promise<{ store: Store; file: string }> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const server = await startProcess({ store });
  await Promise.all(
    Array.from({ length: 200 }, (_, count) =>
      send("POST", `${server.production}/pets`, { key, body: `{"name":"${count}","categoryId":1}` }),
    ),
  );
  await server.stop();
  return { store, file: join(store.dataDir, "production.sqlite") };
}

// All other damaged files are tested in test/storage/store-states.test.ts.
test("a database whose schema is random bytes is refused at the start, in one line", async () => {
  const { store, file } = await usedStore();
  writeFileSync(file, readFileSync(file).fill(0xa5, 100, PAGE_BYTES));
  const { code, out, err } = await petstore(store, ["serve"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toStartWith(`petstore: ${file} cannot be used: it is damaged (`);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});

describe("damage that is found only by reading every page", () => {
  test("does not prevent the start or readiness, and is reported in the log and a metric", async () => {
    const { store, file } = await usedStore();
    const database = new Database(file, { readonly: true });
    const { rootpage = 0 } =
      database
        .query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'pet'")
        .get() ?? {};
    database.close();
    const noise = readFileSync(file).fill(0xa5, (rootpage - 1) * PAGE_BYTES, rootpage * PAGE_BYTES);
    writeFileSync(file, noise);
    const server = await startProcess({ store });
    running.push(server);
    await server.logged('"msg":"the contents of all databases were checked"');
    expect(server.log()).toContain("damage was found; run petstore doctor --deep");
    const statusOf = async (service: "production" | "staging") =>
      (await send("GET", `${new URL(server[service]).origin}/readyz`)).status;
    expect([await statusOf("production"), await statusOf("staging")]).toEqual([200, 200]);
    const { body } = await send("GET", server.metrics);
    expect(body).toMatch(/^petstore_damage_problems\{database="production"\} [1-9]/m);
  });
});
