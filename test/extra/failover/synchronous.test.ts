import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { ServiceError } from "../../../src/errors.ts";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import { noRows, statement } from "../../../src/storage/statement.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";

// A primary whose commits wait for a standby that is away.

const insertPet = insertion("pet", ["name TEXT", "category_id BIGINT"], (row) => numberColumn(row, "id"));
const selectPets = statement("SELECT id FROM pet ORDER BY id", (row) => numberColumn(row, "id"));
const UNKNOWN = "outcome is not known";

let postgres: PostgresServer;
let admin: SQL;
let database: Database;

beforeAll(async () => {
  postgres = await startPostgres();
  admin = new SQL(postgres.url, { max: 1 });
  database = await openDatabase("production", { dataDir: "", databaseUrl: postgres.url });
});
afterEach(() => requireStandby(""));
afterAll(async () => {
  await database.close();
  await admin.close();
  await postgres.remove();
});

async function requireStandby(name: string): Promise<void> {
  await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await admin.unsafe("SELECT pg_reload_conf()");
  while ((await admin.unsafe("SHOW synchronous_standby_names"))[0].synchronous_standby_names !== name);
}

/** What a write is refused with. */
async function refusalOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ServiceError ? error.message : `not refused: ${error}`;
}

describe("while the standby that every commit waits for is away", () => {
  test("a write is not acknowledged, in one statement or a transaction, and goes on once the standby is back", async () => {
    // Connections are there.
    await database.run(insertPet, ["before", 1]);
    await database.write((query) => query(insertPet, ["before", 1]));
    await requireStandby("away");
    const [one, other] = await Promise.all([
      refusalOf(database.run(insertPet, ["a", 1])),
      refusalOf(database.write((query) => query(insertPet, ["b", 1]))),
    ]);
    expect([one, other]).toEqual([expect.stringContaining(UNKNOWN), expect.stringContaining(UNKNOWN)]);
    // Each still waits at the server, and nobody sees what it wrote.
    expect(await admin`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).toHaveLength(2);
    expect(await database.read(selectPets, [])).toHaveLength(2);
    await requireStandby("");
    expect(await database.run(insertPet, ["c", 1])).toHaveLength(1);
    expect(await database.read(selectPets, [])).toHaveLength(5);
  });

  test("a statement inside a transaction is cancelled, since nothing is committed with it", async () => {
    const slow = statement("SELECT pg_sleep(60)", noRows);
    await admin.unsafe("ALTER ROLE postgres SET statement_timeout = 0");
    const refusal = await refusalOf(database.write((query) => query(slow, [])));
    expect(refusal).toContain("cannot be reached");
    const running =
      await admin`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
    expect(running).toHaveLength(0);
  });
});

describe("a service", () => {
  test("sends no recorded response again that the standby may not have", async () => {
    const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: postgres.url } };
    const key = await makeKey(store);
    const server: ServerProcess = await startProcess({ store });
    const post = (path: string, body: object) =>
      send("POST", `${server.production}${path}`, {
        key,
        body: JSON.stringify(body),
        headers: { "Idempotency-Key": path },
      });
    try {
      const pet = await post("/pets", { name: "x", categoryId: 1, status: "available" });
      const requests = [
        ["/pets", { name: "x", categoryId: 1, status: "available" }],
        ["/store/orders", { petId: JSON.parse(pet.body).id }],
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
    } finally {
      await server.kill();
    }
  });
});
