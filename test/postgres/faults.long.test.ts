import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// Tests what happens when PostgreSQL stops, and when the service's listening connection is closed. The tests in `extra/crash` kill
// and freeze PostgreSQL under load.

let postgres: PostgresServer;
let server: ServerProcess;

beforeAll(async () => {
  postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
  server = await startProcess({ store: { dataDir, settings: { PETSTORE_DATABASE_URL: postgres.url } } });
});
afterAll(async () => {
  await server.kill();
  await postgres.remove();
});

test("while PostgreSQL is stopped, the service is not ready, and says when to retry", async () => {
  await postgres.stopAtOnce();
  const down = await send("GET", server.production.replace("/v1", "/readyz"));
  expect([down.status, down.headers.get("Retry-After")]).toEqual([503, "1"]);
  await postgres.start();
});

test("an outage is two log lines, the second with a count; an error of another kind is logged completely, with its request", async () => {
  const key = await makeKey(server.store);
  const sql = new SQL(postgres.url, { max: 1 });
  const list = (name: string) => send("GET", `${server.production}/${name}`, { key });
  const refused = () => Promise.all(Array.from({ length: 30 }, () => list("pets")));
  // Waits for the end of the outage that the previous test caused.
  await server.logged(ENDED);
  const before = linesOf(server.log()).length;

  await postgres.stopAtOnce();
  expect(new Set((await refused()).map(({ status }) => status))).toEqual(new Set([503]));
  await postgres.start();
  await sql`ALTER TABLE production.category RENAME TO elsewhere`;
  await until(async () => (await list("pets")).status === 200);
  const fault = await list("categories");
  expect(fault.status).toBe(500);
  await server.logged(ENDED, 2);
  await sql`ALTER TABLE production.elsewhere RENAME TO category`;
  await sql.close();

  await postgres.stopAtOnce();
  await refused();
  await postgres.start();
  await server.logged(ENDED, 3);

  const lines = linesOf(server.log()).slice(before);
  const counts = lines.map(({ failures = 0 }) => failures >= 30);
  expect(counts).toEqual([false, false, true, false, true]);
  const ended = {
    level: "warn",
    msg: expect.stringContaining("answers again"),
    failures: expect.any(Number),
  };
  const [first, other, second, third, fourth] = lines;
  expect([first, second, third, fourth]).toMatchObject([BEGUN, ended, BEGUN, ended]);
  expect(other).toMatchObject({
    ...{ level: "error", msg: "fault", requestId: fault.headers.get("X-Request-Id") },
    err: { message: expect.stringContaining("category"), stack: expect.any(String) },
  });
});

test("a lost standby is one outage: updates hang, and other updates and the keys' last uses wait for them; reads succeed", async () => {
  const key = await makeKey(server.store);
  const sql = new SQL(postgres.url, { max: 1 });
  const pets = `${server.production}/pets`;
  const created = await send("POST", pets, { key, body: '{"name":"Rex","categoryId":1}' });
  const pet = `${pets}/${created.json.id}`;
  const update = async (name: string) =>
    (await send("PATCH", pet, { key, body: JSON.stringify({ name }) })).status;
  const before = linesOf(server.log()).length;
  await sql`ALTER SYSTEM SET synchronous_standby_names = 'lost'`;
  await sql`SELECT pg_reload_conf()`;
  // PostgreSQL applies the setting a little later. Then one of the two updates waits for the standby, and the other one for the row
  // that the first has locked.
  while (!(await Promise.all([update("first"), update("second")])).every((status) => status === 503));
  const usesThatWait = new Set<string>();
  await until(async () => {
    const waiting = await sql`SELECT query_start::text AS since FROM pg_sleep(0.2), pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%api_key%'`;
    for (const { since } of waiting) usesThatWait.add(since);
    expect((await send("GET", pets, { key })).status).toBe(200);
    return usesThatWait.size >= 4;
  });
  await sql`ALTER SYSTEM RESET synchronous_standby_names`;
  await sql`SELECT pg_reload_conf()`;
  await sql.close();
  await server.logged(ENDED, 4);
  expect(linesOf(server.log()).slice(before)).toMatchObject([BEGUN, { msg: ENDED }]);
});

const BEGUN = { level: "error", msg: expect.stringContaining("does not answer"), err: expect.anything() };
const ENDED = "the database server answers again";

/** Returns the lines of the log that are warnings or errors. The lines about requests have the level `info`. */
function linesOf(log: string): readonly { readonly failures?: number }[] {
  const lines = log.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line)).filter(({ level }) => level !== "info");
}

test("a listening connection that hangs is replaced, and changes are treated as missed", async () => {
  const database = await openDatabase("accounts", { dataDir: "", databaseUrl: postgres.url });
  let missed = 0;
  const feed = await database.subscribe("keys", (payload) => {
    if (payload === undefined) missed++;
  });
  await until(() => feed.isHealthy() && missed > 0);
  const before = missed;
  const sql = new SQL(postgres.url, { max: 1 });
  const stopped = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND query LIKE '%LISTEN%'`;
  for (const { pid } of stopped) process.kill(pid, "SIGSTOP");
  await until(() => !feed.isHealthy());
  await until(() => feed.isHealthy() && missed > before);
  for (const { pid } of stopped) process.kill(pid, "SIGCONT");
  await sql.close();
  await feed.close();
  await database.close();
});
