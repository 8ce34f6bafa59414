import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { startClients } from "../wire/clients.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// The database stops, or stops responding, under load. This file has a cluster of its own.

const FROZEN_MS = 20_000;

let postgres: PostgresServer;
let server: ServerProcess;
let key: string;

beforeAll(async () => {
  postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
  server = await startProcess({ store: { dataDir, settings: { PETSTORE_DATABASE_URL: postgres.url } } });
  key = await makeKey(server.store);
});
afterAll(async () => {
  await server.kill();
  await postgres.remove();
});

/** Eight clients that add animals, and eight that list them, until they are stopped. */
function startLoad(name: string) {
  const acknowledged = new Map<number, string>();
  let count = 0;
  const clients = startClients(16, async (client) => {
    if (client % 2 === 1) return (await send("GET", `${server.production}/pets?limit=5`, { key })).status;
    const pet = `${name}-${++count}`;
    const body = `{"name":"${pet}","categoryId":1}`;
    const reply = await send("POST", `${server.production}/pets`, { key, body });
    if (reply.status === 201) acknowledged.set(JSON.parse(reply.body).id, pet);
    return reply.status;
  });
  return { ...clients, acknowledged };
}

async function storedNames(ids: readonly number[]): Promise<Map<number, string>> {
  const stored = new Map<number, string>();
  for (let start = 0; start < ids.length; start += 100) {
    const page = await send(
      "GET",
      `${server.production}/pets?limit=100&id=${ids.slice(start, start + 100).join(",")}`,
      { key },
    );
    expect(page.status).toBe(200);
    for (const pet of JSON.parse(page.body)) stored.set(pet.id, pet.name);
  }
  return stored;
}

/** Milliseconds until both a write and a read succeed again. */
async function untilHealthy(): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const write = await send("POST", `${server.production}/pets`, {
      key,
      body: '{"name":"probe","categoryId":2}',
    });
    const read = await send("GET", `${server.production}/pets?limit=1`, { key });
    if (write.status === 201 && read.status === 200) return performance.now() - startedAt;
  }
}

describe("PostgreSQL stopped at once and started again under load, ten times", () => {
  test("no acknowledged animal is lost, nothing but 503 meanwhile, and well again after each; the times are printed", async () => {
    const load = startLoad("stop");
    const recoveries: number[] = [];
    for (let round = 0; round < 10; round++) {
      const before = load.acknowledged.size;
      while (load.acknowledged.size < before + 50) await new Promise((resolve) => setImmediate(resolve));
      await postgres.stopAtOnce();
      const down = await send("GET", `${server.production}/readyz`.replace("/v1", ""));
      expect(down.status).toBe(503);
      expect(down.headers.get("Retry-After")).toBe("1");
      await postgres.start();
      recoveries.push(await untilHealthy());
    }
    await load.stop();
    console.log(
      `acknowledged ${load.acknowledged.size}, answers ${JSON.stringify([...load.statuses])}, ` +
        `slowest answer ${Math.round(load.slowestMs())} ms, recoveries ${recoveries.map(Math.round)} ms`,
    );
    expect([...load.statuses.keys()].sort()).toEqual([200, 201, 503]);
    expect(await storedNames([...load.acknowledged.keys()])).toEqual(load.acknowledged);
  }, 600_000);
});

describe("PostgreSQL frozen for 20 seconds", () => {
  test("every request is answered within its deadline, none waits for the thaw, and all is well after it", async () => {
    const load = startLoad("freeze");
    while (load.acknowledged.size < 50) await new Promise((resolve) => setImmediate(resolve));
    await postgres.freeze();
    await Bun.sleep(FROZEN_MS);
    await postgres.thaw();
    const recovery = await untilHealthy();
    await load.stop();
    console.log(
      `answers ${JSON.stringify([...load.statuses])}, slowest answer ${Math.round(load.slowestMs())} ms, ` +
        `recovery ${Math.round(recovery)} ms`,
    );
    expect([...load.statuses.keys()].sort()).toEqual([200, 201, 503]);
    expect(load.slowestMs()).toBeLessThan(FROZEN_MS);
    expect(await storedNames([...load.acknowledged.keys()])).toEqual(load.acknowledged);
  }, 600_000);
});

describe("the listening connection stands still, and the rest goes on", () => {
  test("another one is opened; changes may have been missed", async () => {
    const database = await openDatabase("accounts", { dataDir: "", databaseUrl: postgres.url });
    let missed = 0;
    const feed = await database.subscribe("keys", (payload) => {
      if (payload === undefined) missed++;
    });
    await until(feed.isHealthy);
    const sql = new SQL(postgres.url, { max: 1 });
    const stopped = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND query LIKE '%LISTEN%'`;
    for (const { pid } of stopped) process.kill(pid, "SIGSTOP");
    await until(() => !feed.isHealthy());
    await until(() => feed.isHealthy() && missed === 2);
    for (const { pid } of stopped) process.kill(pid, "SIGCONT");
    await sql.close();
    await feed.close();
    await database.close();
  }, 600_000);
});
