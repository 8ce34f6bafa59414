import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { until } from "../until.ts";
import { petstore, startProcess } from "../wire/process.ts";
import { persist, send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { emptyDatabaseUrl } from "./database.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// Tests a database that allows few connections, as small plans of providers do, and a database that several stores share.

const BODY = '{"name":"Rex","categoryId":1,"status":"available"}';
const PLAN = 20;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: [`max_connections=${PLAN}`] });
});
afterAll(() => server.remove());

/**
 * Starts `clients` clients at the same time. Each creates an animal, orders it, and lists animals. Returns the distinct response
 * statuses.
 */
async function load(address: string, key: string, clients: number): Promise<readonly number[]> {
  const rounds = Array.from({ length: clients }, async () => {
    const created = await persist(() => send("POST", `${address}/pets`, { key, body: BODY }));
    const order = `{"petId":${created.json.id}}`;
    const placed = await persist(() => send("POST", `${address}/store/orders`, { key, body: order }));
    const listed = await persist(() => send("GET", `${address}/pets?status=pending`, { key }));
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
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      const [{ sessions }] = await admin`SELECT count(*)::int AS sessions FROM pg_stat_activity
        WHERE application_name = 'petstore'`;
      most = Math.max(most, sessions);
    }
  })();
  for (let round = 0; round < 5; round++) expect(await load(service.production, key, 60)).toEqual([200, 201]);
  isOver = true;
  await counting;
  await admin.close();
  await service.stop();
  // One of the connections belongs to the supervisor, which listens for database notifications on behalf of both processes.
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
  // There are 45 clients, but only five database connections.
  const [production, staging, messages] = await Promise.all([
    load(service.production, live, 15),
    load(service.staging, rehearsed, 15),
    Promise.all(Array.from({ length: 15 }, async () => (await persist(message)).status)),
  ]);
  expect({ production, staging, messages: [...new Set(messages)] }).toEqual({
    production: [200, 201],
    staging: [200, 201],
    messages: [202],
  });
  await service.stop();
});

test("forty concurrent readers share two connections", async () => {
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: await emptyDatabaseUrl() } };
  const service = await startProcess({ store });
  const key = await makeKey(store);
  // Each request asks for a different page, so no response comes from the cache.
  const read = (page: number) => send("GET", `${service.production}/pets?id=${page}`, { key });
  for (let page = 1; page < 400; page += 40)
    await Promise.all(Array.from({ length: 40 }, (_, index) => read(page + index)));
  const metrics = await (await fetch(service.metrics)).text();
  expect(metrics.match(/database_connections\{pool="read"\} (\d+)/)?.[1]).toBe("2");
  await service.stop();
});

test("petstore doctor needs one connection, and without one it names the setting", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const name = url.pathname.slice(1);
  const admin = new SQL(url.href, { max: 1 });
  await admin
    .unsafe(`CREATE ROLE ${name} LOGIN CONNECTION LIMIT 1; GRANT CREATE ON DATABASE ${name} TO ${name}`)
    .simple();
  url.username = name;
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: url.href } };
  const doctor = async () => (await petstore(store, ["doctor"])).out;
  expect(await doctor()).not.toContain("fail  data");
  const taken = new SQL(url.href, { max: 1 });
  // After a session of petstore doctor has ended, PostgreSQL needs a moment before its connection is free again.
  await until(() =>
    taken`SELECT 1`.then(
      () => true,
      () => false,
    ),
  );
  expect(await doctor()).toMatch(/fail {2}database server: .*Lower PETSTORE_DATABASE_CONNECTIONS/);
  await taken.close();
  await admin.unsafe(`DROP OWNED BY ${name}; DROP ROLE ${name}`).simple();
  await admin.close();
});

test("stores with different prefixes in one database do not see one another", async () => {
  const url = await emptyDatabaseUrl();
  const shop = async (prefix: string) => {
    const settings = { PETSTORE_DATABASE_URL: url, PETSTORE_DATABASE_SCHEMA_PREFIX: prefix };
    const store = { dataDir: "", settings };
    return { ...(await startServer({ store })), key: await makeKey(store) };
  };
  const [one, other] = [await shop("shopa_"), await shop("shopb_")];
  const heard: string[] = [];
  const admin = new SQL(url, { max: 1 });
  for (const channel of ["shopa_petstore_events", "shopb_petstore_events", "petstore_events"])
    await admin.listen(channel, (payload) => heard.push(`${channel} ${payload}`));
  const pets = (address: string, key: string) => send("GET", `${address}/pets`, { key });
  expect((await send("POST", `${one.production}/pets`, { key: one.key, body: BODY })).status).toBe(201);
  expect((await pets(one.production, one.key)).json).toHaveLength(1);
  expect((await pets(other.production, other.key)).json).toEqual([]);
  expect((await pets(other.production, one.key)).status).toBe(401);
  await until(async () => heard.length > 0);
  expect(heard).toEqual(["shopa_petstore_events production"]);
  await Promise.all([one.stop(), other.stop()]);

  // The commands `petstore copy` and `petstore doctor` accept the schema prefix as well.
  const copied = await petstore({ dataDir: "", settings: {} }, [
    ...["copy", "--from", url, "--to", url, "--from-schema-prefix", "shopa_", "--to-schema-prefix", "shopc_"],
  ]);
  expect([copied.code, copied.err]).toEqual([0, expect.any(String)]);
  const found: { name: string }[] =
    await admin`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE '%production' ORDER BY 1`;
  expect(found.map(({ name }) => name)).toEqual(["shopa_production", "shopb_production", "shopc_production"]);
  expect([...(await admin`SELECT name FROM shopc_production.pet`)]).toEqual([{ name: "Rex" }]);
  const doctor = await petstore(one.store, ["doctor"]);
  expect(doctor.out).toContain(
    "database production: this database can be opened, and its tables are up to date",
  );
  await admin.close();
});
