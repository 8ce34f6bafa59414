import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { ServiceError } from "../../../src/errors.ts";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import { statement } from "../../../src/storage/statement.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { createTestApp } from "../../test-app.ts";
import { until } from "../../until.ts";

// In these tests, the commits of a PostgreSQL primary wait for a standby that is absent.

const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
const selectPets = statement("SELECT id FROM pet ORDER BY id", numberColumn("id"));
const UNKNOWN = "may or may not have been made";

let postgres: PostgresServer;
let admin: SQL;
let probe: SQL;
let database: Database;

beforeAll(async () => {
  postgres = await startPostgres();
  admin = new SQL(postgres.url, { max: 1 });
  probe = new SQL(postgres.url, { max: 1, connection: { application_name: "probe" } });
  database = await openDatabase("production", { dataDir: "", databaseUrl: postgres.url });
});
afterEach(() => requireStandby(""));
afterAll(async () => {
  await database.close();
  await Promise.all([admin.close(), probe.close()]);
  await postgres.remove();
});

/** Selects an application's database sessions whose commits are waiting for the standby. */
const waiting = (application: string) =>
  admin`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = ${application}`;
const commit = async () => void (await probe`SELECT pg_logical_emit_message(true, 'probe', '')`);

/**
 * Resolves once commits wait for the standby with this name or, if the name is empty, no longer wait. The checkpointer applies the
 * setting a little later than this session does.
 */
async function requireStandby(name: string): Promise<void> {
  await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await admin`SELECT pg_reload_conf()`;
  if (name === "") return commit();
  await until(async () => {
    void commit();
    return (await waiting("probe")).length > 0;
  });
}

/** Returns the error message of a write that must be refused. */
async function refusalOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ServiceError ? error.message : `not refused: ${error}`;
}

describe("while the standby that every commit waits for is unavailable", () => {
  test("a write is not acknowledged until the standby is back", async () => {
    // Two writes open the connections before every commit has to wait for the standby.
    await database.run(insertPet, { name: "before", categoryId: 1 });
    await database.write((query) => query(insertPet, { name: "before", categoryId: 1 }));
    await requireStandby("away");
    const [one, other] = await Promise.all([
      refusalOf(database.run(insertPet, { name: "a", categoryId: 1 })),
      refusalOf(database.write((query) => query(insertPet, { name: "b", categoryId: 1 }))),
    ]);
    expect([one, other]).toEqual([expect.stringContaining(UNKNOWN), expect.stringContaining(UNKNOWN)]);
    // Both commits are still waiting on the server, so other sessions do not see their rows.
    expect(await waiting("petstore")).toHaveLength(2);
    expect(await database.read(selectPets, [])).toHaveLength(2);
    await requireStandby("");
    expect(await database.run(insertPet, { name: "c", categoryId: 1 })).toHaveLength(1);
    await until(async () => (await database.read(selectPets, [])).length === 5);
  });

  test("a statement inside a transaction is cancelled, since nothing is committed with it", async () => {
    // Without `SET LOCAL`, the server's own timeout would end the statement before the deadline.
    const unlimited = statement("SET LOCAL statement_timeout = 0");
    const slow = statement("SELECT pg_sleep(60)");
    const write = database.write((query) => Promise.all([query(unlimited, []), query(slow, [])]));
    const refusal = await refusalOf(write);
    expect(refusal).toContain("cannot be reached");
    const running =
      await admin`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
    expect(running).toHaveLength(0);
  });
});

test("a service never replays a recorded response that the standby may lack", async () => {
  const app = await createTestApp({}, { databaseUrl: postgres.url });
  const { token: key } = await app.makeKey();
  const post = (path: string, body: object) => {
    const headers = { "Idempotency-Key": path };
    return app.send("production", `POST /v1${path}`, { key, headers, body: JSON.stringify(body) });
  };
  const pet = { name: "x", categoryId: 1, status: "available" };
  const { id: petId } = JSON.parse(await (await post("/pets", pet)).text());
  const requests = [
    ["/pets", pet],
    ["/store/orders", { petId }],
  ] as const;
  for (const [path, body] of requests) expect((await post(path, body)).status).toBe(201);
  await requireStandby("away");
  const replies = await Promise.all(requests.map(([path, body]) => post(path, body)));
  expect(replies.map(({ status }) => status)).toEqual([503, 503]);
  await requireStandby("");
  for (const [path, body] of requests) {
    const { status, headers } = await post(path, body);
    expect([status, headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  }
  await app.close();
});
