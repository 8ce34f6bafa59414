import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { PROGRAM, type Program, petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "../wire/stores.ts";
import { makeNextRelease } from "./next-release.ts";

// This program and the release after it, side by side on one store.

/** Longer than any request may take. */
const READER_SECONDS = 12;

interface Serving {
  readonly server: ServerProcess;
  inFlight: number;
  onIdle: () => void;
}

/** Eight clients that add and list in turn, at each server in turn, as behind a load balancer. */
function startLoad(key: string) {
  const serving: Serving[] = [];
  const statuses = new Map<string, number>();
  let slowestMs = 0;
  let turn = 0;
  let isOver = false;
  async function call(method: string, at: Serving, path: string, body?: string): Promise<void> {
    const startedAt = performance.now();
    at.inFlight++;
    const { status } = await send(method, at.server.production + path, { key, ...(body && { body }) });
    at.inFlight--;
    if (at.inFlight === 0) at.onIdle();
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    statuses.set(`${method} ${status}`, (statuses.get(`${method} ${status}`) ?? 0) + 1);
  }
  async function client(): Promise<void> {
    while (!isOver) {
      const at = serving[turn++ % serving.length];
      if (at === undefined) throw new Error("No server is left.");
      if (turn % 2 === 0) await call("POST", at, "/pets", '{"name":"Rex","categoryId":1}');
      else await call("GET", at, "/pets?limit=5");
    }
  }
  let clients: readonly Promise<void>[] = [];
  return {
    statuses,
    slowestMs: () => slowestMs,
    add(server: ServerProcess): void {
      serving.push({ server, inFlight: 0, onIdle: () => {} });
      if (clients.length === 0) clients = Array.from({ length: 8 }, client);
    },
    /** Removes the oldest server, and stops it once its requests are answered. */
    async remove(): Promise<void> {
      const [oldest] = serving.splice(0, 1);
      if (oldest === undefined) return;
      await new Promise<void>((resolve) => {
        oldest.onIdle = resolve;
        if (oldest.inFlight === 0) resolve();
      });
      expect(await oldest.server.stop()).toBe(0);
    },
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(clients);
      for (const { server } of serving) await server.stop();
    },
  };
}

/** Begins a transaction that has read the animals and stays open; resolves once it holds its lock. */
async function startReader(store: Store): Promise<{ ended: Promise<unknown> }> {
  const sql = new SQL(store.settings["PETSTORE_DATABASE_URL"] ?? "", { max: 1 });
  const begun = Promise.withResolvers<void>();
  const reading = sql.begin(async (transaction) => {
    await transaction`SELECT count(*) FROM production.pet`;
    begun.resolve();
    await transaction`SELECT pg_sleep(${READER_SECONDS})`;
  });
  await begun.promise;
  return { ended: reading.then(() => sql.close()) };
}

describe("this program and the next release, whose migration only adds", () => {
  test("run side by side under load, forward and back, behind a long reader: no request is refused", async () => {
    const next = await makeNextRelease(true);
    const store = await freshPostgresStore();
    const start = (program: Program) => startProcess({ store, program });
    const first = await start(PROGRAM);
    const load = startLoad(await makeKey(store));
    load.add(first);
    load.add(await start(PROGRAM));

    const reader = await startReader(store);
    const upgraded = await start(next);
    await reader.ended;
    load.add(upgraded);
    await load.remove();
    load.add(await start(next));
    await load.remove();

    load.add(await start(PROGRAM));
    await load.remove();
    load.add(await start(PROGRAM));
    await load.remove();
    await load.stop();
    console.log(
      `forward and back: ${JSON.stringify(Object.fromEntries(load.statuses))}, the slowest ${Math.round(load.slowestMs())} ms`,
    );
    expect([...load.statuses.keys()].sort()).toEqual(["GET 200", "POST 201"]);
    expect(load.slowestMs()).toBeLessThan(READER_SECONDS * 1000);
  }, 600_000);

  test("SQLite: this program goes on with the files; doctor says what is pending, and that an upgrade is unfinished", async () => {
    const next = await makeNextRelease(true);
    const store = await freshEmbeddedStore();
    expect(await petstore(store, ["migrate"])).toMatchObject({ code: 0 });
    const pending = await petstore(store, ["doctor"], { program: next });
    expect(pending.out + pending.err).toContain("can be opened; 1 migration is pending");
    expect(await petstore(store, ["migrate"], { program: next })).toMatchObject({ code: 0 });
    const server = await startProcess({ store });
    const key = await makeKey(store);
    const added = await send("POST", `${server.production}/pets`, {
      key,
      body: '{"name":"Rex","categoryId":1}',
    });
    expect(added.status).toBe(201);
    expect(await server.stop()).toBe(0);
    const examined = await petstore(store, ["doctor"]);
    expect(examined.out + examined.err).toContain("a newer petstore has migrated it");
  }, 600_000);
});

describe("this program and a release whose migration takes something away", () => {
  for (const [engine, freshStore] of [
    ["SQLite", freshEmbeddedStore],
    ["PostgreSQL", freshPostgresStore],
  ] as const)
    test(`${engine}: refuses to start, in one line`, async () => {
      const next = await makeNextRelease(false);
      const store = await freshStore();
      expect(await petstore(store, ["migrate"], { program: next })).toMatchObject({ code: 0 });
      const refused = await petstore(store, ["serve"]);
      expect(refused.code).toBe(1);
      expect(refused.err.trim().split("\n")).toEqual([
        expect.stringMatching(/was last used by a newer petstore \(it has migration \d+, notes\)/),
      ]);
    }, 600_000);
});
