import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// The database stops, or its listening connection does. `extra/crash` kills and freezes it under load.

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

test("while PostgreSQL is stopped, the service is not ready, and says when to ask again", async () => {
  await postgres.stopAtOnce();
  const down = await send("GET", server.production.replace("/v1", "/readyz"));
  expect([down.status, down.headers.get("Retry-After")]).toEqual([503, "1"]);
  await postgres.start();
});

test("a listening connection that stands still is replaced; changes may have been missed", async () => {
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
