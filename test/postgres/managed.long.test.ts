import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { PROJECT } from "../../bin/bundle.js";
import { until } from "../until.ts";
import { petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { emptyDatabaseUrl, freshDatabaseUrl } from "./database.ts";
import { startRelay } from "./relay.ts";
import { startPostgres } from "./server.ts";

// Tests PostgreSQL servers that a provider manages. They behave differently from the servers in the other tests.

/** The number of changes that the service refuses while the database is read-only. */
const REFUSED = 100;

function administer(url: string): SQL {
  return new SQL(url, { max: 1 });
}
const nameOf = (url: string) => new URL(url).pathname.slice(1);

function startAt(databaseUrl: string, settings = {}): Promise<ServerProcess> {
  return startProcess({
    store: { dataDir: "", settings: { PETSTORE_DATABASE_URL: databaseUrl, ...settings } },
  });
}

async function createPet(server: ServerProcess, key: string): Promise<number> {
  const body = '{"name":"Rex","categoryId":1}';
  return (await send("POST", `${server.production}/pets`, { key, body })).status;
}

/** Reads the guide's table of database views for reports. Returns the name and the columns of each view. */
async function documentedViews(): Promise<{ name: string; columns: string }[]> {
  const guide = await Bun.file(`${PROJECT}docs/guides/managed-database.md`).text();
  return [...guide.matchAll(/^\| `(report_\w+)` \| (.*) \|$/gm)].map(([, name = "", columns = ""]) => ({
    name,
    columns: [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column).join(" "),
  }));
}

describe("while the provider has made the database read-only", () => {
  let url: string;
  let sql: SQL;
  let server: ServerProcess;
  let key: string;
  const setReadOnly = (isReadOnly: boolean) =>
    sql.unsafe(`ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = ${isReadOnly}`);
  /**
   * Ends the service's database sessions, because a new setting of the database applies only to new sessions. Resolves once they have
   * ended. Otherwise, a read could still be sent on one of them.
   */
  const endSessions = () =>
    sql`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

  beforeAll(async () => {
    url = await freshDatabaseUrl();
    sql = administer(url);
    server = await startAt(url);
    key = await makeKey(server.store);
    await createPet(server, key);
  });
  afterAll(async () => {
    await server.kill();
    await sql.close();
  });

  test("changes get 503, the log says why, and reads work; afterwards changes succeed", async () => {
    await setReadOnly(true);
    await endSessions();
    await until(async () => (await createPet(server, key)) === 503);
    expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
    await server.logged("the database server is read-only");
    const metrics = async () => (await fetch(server.metrics)).text();
    expect(await metrics()).toMatch(/petstore_database_reachable 1\n[\s\S]*petstore_database_writable 0\n/);
    await setReadOnly(false);
    await until(async () => (await createPet(server, key)) === 201);
    expect(await metrics()).toMatch(
      /database_writable 1\n[\s\S]*database_timeline 1\n[\s\S]*database_connections\{pool="run"\} [1-9]/,
    );
  });

  test("a start serves reads, and changes as soon as they are accepted", async () => {
    await setReadOnly(true);
    const second = await startAt(url);
    expect((await send("GET", `${second.production}/pets`, { key })).status).toBe(200);
    expect(await createPet(second, key)).toBe(503);
    await setReadOnly(false);
    await until(async () => (await createPet(second, key)) === 201);
    await second.kill();
  });

  test("refused changes rarely open a connection to find out whether new sessions accept changes", async () => {
    const relay = startRelay(url);
    const behind = await startAt(relay.url);
    await setReadOnly(true);
    await endSessions();
    await until(async () => (await createPet(behind, key)) === 503);
    const opened = () =>
      relay.statements.filter((text) => text.includes("default_transaction_read_only")).length;
    const before = opened();
    for (let count = 0; count < REFUSED; count++) expect(await createPet(behind, key)).toBe(503);
    expect(opened() - before).toBeLessThan(REFUSED / 2);
    await setReadOnly(false);
    await until(async () => (await createPet(behind, key)) === 201);
    await behind.kill();
    relay.stop();
  });
});

test("if the sessions of a busy service become read-only, every change is either stored and acknowledged, or neither", async () => {
  const own = await startPostgres();
  const sql = administer(own.url);
  const server = await startAt(own.url);
  const key = await makeKey(server.store);
  const outcomes: Record<number, number[]> = { 201: [], 503: [] };
  let isOver = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const body = '{"name":"Rex","categoryId":1}';
      const { status, json } = await send("POST", `${server.production}/pets`, { key, body });
      outcomes[status]?.push(json.id);
      if (status !== 201 && status !== 503) throw new Error(`A create was answered ${status}.`);
    }
  });
  for (const [setting, expected] of [
    ["on", 503],
    ["off", 201],
    ["on", 503],
    ["off", 201],
  ] as const) {
    await sql.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${setting}`);
    await sql`SELECT pg_reload_conf()`;
    const before = outcomes[expected]?.length ?? 0;
    await until(() => (outcomes[expected]?.length ?? 0) > before + 20);
  }
  isOver = true;
  await Promise.all(clients);
  const stored = await sql`SELECT id::int FROM production.pet ORDER BY id`;
  expect(stored.map(({ id }: { id: number }) => id)).toEqual(outcomes[201]?.toSorted((a, b) => a - b));
  await server.kill();
  await sql.close();
  await own.remove();
});

test("a server whose functions of the log answer 55000, as Amazon Aurora's do, serves reads and changes", async () => {
  const url = await freshDatabaseUrl();
  const sql = administer(url);
  // Replaces some of PostgreSQL's functions, by functions in a schema that is searched first.
  const functions = ["pg_walfile_name(pg_lsn)", "pg_current_wal_lsn()", "pg_current_wal_flush_lsn()"];
  await sql.unsafe("CREATE SCHEMA shim");
  const control = [
    "pg_control_checkpoint(OUT checkpoint_lsn text)",
    "pg_control_system(OUT system_identifier text)",
  ];
  for (const name of [...functions.map((call) => `${call} RETURNS text`), ...control])
    await sql.unsafe(`CREATE FUNCTION shim.${name} LANGUAGE plpgsql AS $$
      BEGIN RAISE 'not supported' USING ERRCODE = '55000'; END $$`);
  await sql.unsafe(`ALTER DATABASE ${nameOf(url)} SET search_path = shim, pg_catalog, public`);
  const server = await startAt(url);
  const key = await makeKey(server.store);
  expect(await createPet(server, key)).toBe(201);
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  await server.kill();
  await sql.close();
});

test("a server that denies the functions of the log to the service's role serves reads and changes", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const sql = administer(url.href);
  const user = `${nameOf(url.href)}_denied`;
  await sql
    .unsafe(`CREATE ROLE ${user} LOGIN; ALTER DATABASE ${nameOf(url.href)} OWNER TO ${user};
    REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn), pg_current_wal_lsn(), pg_current_wal_flush_lsn(),
      pg_control_checkpoint(), pg_control_system() FROM PUBLIC`)
    .simple();
  url.username = user;
  const server = await startAt(url.href);
  const key = await makeKey(server.store);
  expect(await createPet(server, key)).toBe(201);
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  await server.kill();
  await sql.unsafe(`DROP OWNED BY ${user} CASCADE`);
  await sql.close();
});

test("a role without CREATE migrates schemas that a DBA has made, while a role that can only access rows serves", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const sql = administer(url.href);
  const [owner, rows] = [`${nameOf(url.href)}_owner`, `${nameOf(url.href)}_rows`];
  const as = (user: string) => Object.assign(new URL(url), { username: user }).href;
  const schemas = ["accounts", "production", "staging", "messages"];
  await sql
    .unsafe(`CREATE ROLE ${owner} LOGIN; CREATE ROLE ${rows} LOGIN;
    ${schemas.map((schema) => `CREATE SCHEMA ${schema} AUTHORIZATION ${owner}; GRANT USAGE ON SCHEMA ${schema} TO ${rows};`).join(" ")}
    ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES TO ${rows};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT SELECT, USAGE, UPDATE ON SEQUENCES TO ${rows}`)
    .simple();
  const server = await startAt(as(rows), { PETSTORE_DATABASE_DIRECT_URL: as(owner) });
  const key = await makeKey(server.store);
  expect(await createPet(server, key)).toBe(201);
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  await server.kill();

  await sql.unsafe(`REVOKE INSERT ON messages.message FROM ${rows}`);
  const refusal =
    /The user \w+_rows at [\d.:]+ has too few rights in the schema messages\. Grant this user USAGE on the schema/;
  const started = await petstore(server.store, ["serve"]);
  expect([started.code, started.err]).toEqual([1, expect.stringMatching(refusal)]);
  const { out } = await petstore(server.store, ["doctor"]);
  expect(out).toMatch(/fail {2}database messages: .*has too few rights in the schema messages/);
  expect(out).toMatch(/ok +database production: /);
  for (const role of [rows, owner]) await sql.unsafe(`DROP OWNED BY ${role} CASCADE`);
  await sql.close();
});

test("for a role that may create nothing, the start and petstore doctor say which rights to ask for", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const sql = administer(url.href);
  const user = `${nameOf(url.href)}_nothing`;
  await sql.unsafe(`CREATE ROLE ${user} LOGIN`);
  url.username = user;
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: url.href } };
  const started = await petstore(store, ["serve"]);
  expect([started.code, started.err]).toEqual([
    1,
    expect.stringContaining(
      "Grant this user CREATE on the database, or let an administrator create the four schemas",
    ),
  ]);
  expect((await petstore(store, ["doctor"])).out).toMatch(
    /fail {2}database server: The user \w+_nothing at [\d.:]+ may not create the store's schemas and tables\. Grant this user CREATE/,
  );
  await sql.unsafe(`DROP ROLE ${user}`);
  await sql.close();
});

test("a role without CREATE starts on schemas that are up to date, and serves reads and changes", async () => {
  const owner = await freshDatabaseUrl();
  const url = new URL(owner);
  const sql = administer(url.href);
  const user = `${nameOf(url.href)}_rows`;
  const schemas = "accounts, production, staging, messages";
  await sql
    .unsafe(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schemas} TO ${user};
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA ${schemas} TO ${user};
    GRANT SELECT, USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA ${schemas} TO ${user}`)
    .simple();
  url.username = user;
  const server = await startAt(url.href);
  const key = await makeKey(server.store);
  expect(await createPet(server, key)).toBe(201);

  // A database role for reports can read the views in the guide, but none of the tables.
  const post = (path: string, body: string) => send("POST", `${server.production}${path}`, { key, body });
  await post("/categories", '{"id":1,"name":"Dogs"}');
  const pet = (await post("/pets", '{"name":"Ada","categoryId":1,"status":"available"}')).json;
  const order = (await post("/store/orders", `{"petId":${pet.id}}`)).json;
  const { completedAt } = (await post(`/store/orders/${order.id}/complete`, "")).json;
  await sql
    .unsafe(`GRANT SELECT ON production.report_animals, production.report_orders,
    production.report_sales_by_day TO ${user}; REVOKE SELECT ON production.pet, production.store_order FROM ${user}`)
    .simple();
  const reports = administer(url.href);
  expect([...(await reports`SELECT * FROM production.report_animals ORDER BY id DESC LIMIT 1`)]).toEqual([
    { id: `${pet.id}`, name: "Ada", status: "sold", category_id: "1", category: "Dogs", external_id: null },
  ]);
  const today = completedAt.slice(0, 10);
  expect([
    ...(await reports`SELECT day::text, category, sales::int FROM production.report_sales_by_day`),
  ]).toEqual([{ day: today, category: "Dogs", sales: 1 }]);
  const [sold] = await reports`SELECT animal_id, complete, completed_at FROM production.report_orders`;
  expect(sold).toMatchObject({ animal_id: `${pet.id}`, complete: true });
  expect(sold.completed_at.toISOString().slice(0, 10)).toBe(today);
  await reports.close();
  await server.kill();

  const columns: { name: string; columns: string }[] = await sql`
    SELECT table_name::text AS name, string_agg(column_name, ' ' ORDER BY ordinal_position) AS columns
    FROM information_schema.columns WHERE table_schema = 'production' AND table_name LIKE 'report%'
    GROUP BY table_name ORDER BY table_name`;
  expect([...columns]).toEqual(await documentedViews());

  // Connections of the owner role run migrations and listen for notifications. Requests use another role, which can read and write
  // rows, but cannot create anything.
  await sql.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA production TO ${user}`);
  const split = await startAt(url.href, { PETSTORE_DATABASE_DIRECT_URL: owner });
  expect(await createPet(split, key)).toBe(201);
  const users = await sql`SELECT DISTINCT usename FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'petstore' ORDER BY 1`;
  expect(users.map(({ usename }: { usename: string }) => usename)).toEqual([user, "postgres"]);
  await split.kill();
  await sql.unsafe(`DROP OWNED BY ${user}; DROP ROLE ${user}`).simple();
  await sql.close();
});
