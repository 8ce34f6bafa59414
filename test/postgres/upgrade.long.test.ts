import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { startClients } from "../wire/clients.ts";
import { PROGRAM, type Program, petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "../wire/stores.ts";
import { makeNextRelease } from "./next-release.ts";

// Runs the present program and the next release at the same time on one store.

/** The duration of a reader's transaction, in seconds. No request may take that long. */
const READER_SECONDS = 12;

interface Serving {
  readonly server: ServerProcess;
  inFlight: number;
  onIdle: () => void;
}

/** Starts eight clients that alternately add and list animals. They use the servers in turn, as behind a load balancer. */
function startLoad(key: string) {
  const serving: Serving[] = [];
  async function call(method: string, at: Serving, path: string, body?: string): Promise<string> {
    at.inFlight++;
    const { status } = await send(method, at.server.production + path, { key, ...(body && { body }) });
    at.inFlight--;
    if (at.inFlight === 0) at.onIdle();
    return `${method} ${status}`;
  }
  let next = 0;
  let clients: ReturnType<typeof startClients<string>> | undefined;
  const start = () =>
    startClients(8, (_, turn) => {
      const at = serving[next++ % serving.length];
      if (at === undefined) throw new Error("No server is left.");
      return turn % 2 === 0
        ? call("POST", at, "/pets", '{"name":"Rex","categoryId":1}')
        : call("GET", at, "/pets?limit=5");
    });
  return {
    add(server: ServerProcess): void {
      serving.push({ server, inFlight: 0, onIdle: () => {} });
      clients ??= start();
    },
    /** Sends no more requests to the oldest server, and stops it once it has answered the earlier ones. */
    async remove(): Promise<void> {
      const [oldest] = serving.splice(0, 1);
      if (oldest === undefined) return;
      await new Promise<void>((resolve) => {
        oldest.onIdle = resolve;
        if (oldest.inFlight === 0) resolve();
      });
      expect(await oldest.server.stop()).toBe(0);
    },
    /** Stops the clients and the servers. Returns the response statuses and the longest response time. */
    async stop() {
      await clients?.stop();
      for (const { server } of serving) await server.stop();
      return { statuses: clients?.statuses ?? new Map(), slowestMs: clients?.slowestMs() ?? 0 };
    },
  };
}

/** Begins a transaction that reads the animals, and keeps it open. Resolves once the transaction holds its lock. */
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
    const next = await makeNextRelease();
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
    const { statuses, slowestMs } = await load.stop();
    console.log(
      `forward and back: ${JSON.stringify(Object.fromEntries(statuses))}, the slowest ${Math.round(slowestMs)} ms`,
    );
    expect([...statuses.keys()].sort()).toEqual(["GET 200", "POST 201"]);
    expect(slowestMs).toBeLessThan(READER_SECONDS * 1000);
  });

  test("on SQLite, this program still uses the files, and doctor reports the unfinished upgrade", async () => {
    const next = await makeNextRelease();
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
    expect(examined.out + examined.err).toContain("a newer version of petstore has updated its tables");
  });
});
