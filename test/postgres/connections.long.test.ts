import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { petstore, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { emptyDatabaseUrl } from "./database.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// A plan with few connections, as providers sell it.

const BODY = '{"name":"Rex","categoryId":1,"status":"available"}';
const PLAN = 20;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: [`max_connections=${PLAN}`] });
});
afterAll(() => server.remove());

/** Creates, orders and reads from many clients at once; returns the statuses. */
async function load(address: string, key: string): Promise<readonly number[]> {
  const rounds = Array.from({ length: 60 }, async () => {
    const created = await send("POST", `${address}/pets`, { key, body: BODY });
    const order = `{"petId":${JSON.parse(created.body).id}}`;
    const placed = await send("POST", `${address}/store/orders`, { key, body: order });
    const listed = await send("GET", `${address}/pets?status=pending`, { key });
    return [created.status, placed.status, listed.status];
  });
  return [...new Set((await Promise.all(rounds)).flat())].toSorted();
}

test("two processes of eight connections each work on a plan of 20", async () => {
  const settings = { PETSTORE_DATABASE_URL: server.url, PETSTORE_DATABASE_CONNECTIONS: "8" };
  const service = await startProcess({
    store: { dataDir: "", settings: { ...settings, PETSTORE_PROCESSES: "2" } },
  });
  const admin = new SQL(server.url, { max: 1 });
  const key = await makeKey({ dataDir: "", settings });
  let most = 0;
  const counting = setInterval(async () => {
    const [{ sessions }] = await admin`SELECT count(*)::int AS sessions FROM pg_stat_activity
      WHERE application_name = 'petstore'`;
    most = Math.max(most, sessions);
  }, 20);
  for (let round = 0; round < 5; round++) expect(await load(service.production, key)).toEqual([200, 201]);
  clearInterval(counting);
  await admin.close();
  await service.stop();
  // One for the supervisor, which listens for both.
  expect(most).toBeGreaterThan(8);
  expect(most).toBeLessThanOrEqual(17);
});

test("five connections are enough for everything at once", async () => {
  const settings = { PETSTORE_DATABASE_URL: server.url, PETSTORE_DATABASE_CONNECTIONS: "5" };
  const store = { dataDir: "", settings };
  const service = await startServer({ store });
  const live = await makeKey(store);
  const rehearsed = await makeKey(store, { environment: "staging" });
  const message = () => send("POST", `${service.messages}/messages`, { key: live, body: '{"message":"x"}' });
  const [production, staging, messages] = await Promise.all([
    load(service.production, live),
    load(service.staging, rehearsed),
    Promise.all(Array.from({ length: 50 }, async () => (await message()).status)),
  ]);
  expect([production, staging, [...new Set(messages)]]).toEqual([[200, 201], [200, 201], [202]]);
  await service.stop();
});

test("petstore doctor needs one connection, and without one it names the setting", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const name = url.pathname.slice(1);
  const admin = new SQL(url.href, { max: 1 });
  await admin.unsafe(`CREATE ROLE ${name} LOGIN CONNECTION LIMIT 1`);
  url.username = name;
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: url.href } };
  const doctor = async () => (await petstore(store, ["doctor"])).out;
  expect(await doctor()).not.toContain("fail  data");
  const taken = new SQL(url.href, { max: 1 });
  await taken`SELECT 1`;
  expect(await doctor()).toMatch(/fail {2}database server: .*Set PETSTORE_DATABASE_CONNECTIONS/);
  await taken.close();
  await admin.unsafe(`DROP ROLE ${name}`);
  await admin.close();
});
