import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { updatePet } from "../../../src/pets/verbs.ts";
import { systemRandomBytes } from "../../../src/platform/random.ts";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { keepsNamesApart } from "../../../src/storage/postgres/prepared-names.ts";
import { numberColumn, textColumn } from "../../../src/storage/row.ts";
import { noRows, type Statement, statement } from "../../../src/storage/statement.ts";
import { freshDatabaseUrl } from "../../postgres/database.ts";
import { until } from "../../until.ts";
import { petstore, startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { startCluster } from "../failover/cluster.ts";
import { type Pooler, startPooler } from "./pooler.ts";

// PgBouncer runs in transaction mode, in which each transaction may use a different server session.

const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
const selectWord: Statement<[word: string], string> = statement(
  "SELECT $1::text AS word",
  textColumn("word"),
);

let databaseDirectUrl: string;
let pooler: Pooler;
let database: Database;

beforeAll(async () => {
  databaseDirectUrl = await freshDatabaseUrl();
  // PgBouncer uses its server sessions in turn, so that consecutive transactions run in different sessions.
  pooler = await startPooler(databaseDirectUrl, ["server_round_robin = 1"]);
  const databaseUrl = pooler.urlOf(databaseDirectUrl);
  database = await openDatabase("production", { dataDir: "", databaseUrl, databaseDirectUrl });
});
afterAll(async () => {
  await database.close();
  await pooler.remove();
});

async function listen(to: Database) {
  const { promise: heard, resolve } = Promise.withResolvers<string>();
  const feed = await to.subscribe("keys", (payload) => payload && resolve(payload));
  return { feed, heard };
}

describe("through a pooler in transaction mode", () => {
  test("statements and transactions find the tables in any session, at their isolation level", async () => {
    const isolation = new Set<string | undefined>();
    // A process runs four transactions at the same time. Others would wait for at most 2 s, and a busy machine may take longer.
    for (let turn = 0; turn < 5; turn++) {
      const writes = Array.from({ length: 4 }, (_, index) =>
        database.write(async (query) => {
          await query(insertPet, { name: `pet ${turn * 4 + index}`, categoryId: 1 });
          const rows = await query(
            statement(
              "SELECT current_setting('transaction_isolation') || ' ' || current_setting('idle_in_transaction_session_timeout') AS is",
              textColumn("is"),
            ),
            [],
          );
          return rows[0];
        }),
      );
      for (const found of await Promise.all(writes)) isolation.add(found);
    }
    expect(isolation).toEqual(new Set(["repeatable read 3s"]));
    const ids = await Promise.all(
      Array.from({ length: 200 }, () => database.run(insertPet, { name: "x", categoryId: 2 })),
    );
    expect(new Set(ids.flat()).size).toBe(200);
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => database.read(selectWord, [String(index)])),
    );
    expect(replies.flat()).toEqual(Array.from({ length: 200 }, (_, index) => `${index}`));
  });

  test("no statement has a name if the pooler does not separate the names of its clients", async () => {
    for (let turn = 0; turn < 20; turn++) await database.read(selectWord, ["x"]);
    const names = statement("SELECT name FROM pg_prepared_statements", textColumn("name"));
    for (let turn = 0; turn < 20; turn++) expect(await database.read(names, [])).toEqual([]);
    expect(await keepsNamesApart(pooler.urlOf(databaseDirectUrl))).toBe(false);
  });

  test("other processes' changes are noticed through the direct address", async () => {
    const { feed, heard } = await listen(database);
    await database.run(statement("SELECT pg_notify('petstore_keys', 'a change')"), []);
    expect(await heard).toBe("a change");
    await until(() => feed.isHealthy());
    await feed.close();
  });

  test("a late statement is not cancelled, which can end PgBouncer", async () => {
    const { feed, heard } = await listen(database);
    const sleep = statement("SELECT pg_notify('petstore_keys', 'slept') FROM pg_sleep(6)", noRows);
    await expect(database.read(sleep, [])).rejects.toThrow("cannot be reached");
    expect(await heard).toBe("slept");
    await feed.close();
  });

  test("a patch that waits for a locked row gets 503, and the server stops waiting for the row as well", async () => {
    const sql = new SQL(databaseDirectUrl, { max: 2 });
    const [petId = 0] = await database.run(insertPet, { name: "x", categoryId: 1 });
    const stranger = await sql.reserve();
    await stranger`BEGIN`;
    await stranger`SELECT FROM production.pet WHERE id = ${petId} FOR UPDATE`;
    const own = { now: 0, actor: { kind: "operator" }, randomBytes: systemRandomBytes } as const;
    const patched = database.write((query) => updatePet({ query, ...own }, { petId, body: { name: "y" } }), {
      isAtomic: true,
      readsFirst: true,
    });
    expect(await patched.catch((error: unknown) => error)).toMatchObject({ status: 503 });
    // The row is still locked, so a statement without a timeout would wait for ever.
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length === 0;
    });
    await stranger`COMMIT`;
    stranger.release();
    expect([...(await sql`SELECT name FROM production.pet WHERE id = ${petId}`)]).toEqual([{ name: "x" }]);
    await sql.close();
  });

  test("a trigger's function also finds the tables", async () => {
    const databaseUrl = pooler.urlOf(databaseDirectUrl);
    const accounts = await openDatabase("accounts", { dataDir: "", databaseUrl, databaseDirectUrl });
    await accounts.run(
      statement("INSERT INTO account (email, password_hash, role, created_at) VALUES ('a', 'x', 'owner', 1)"),
      [],
    );
    await accounts.run(statement("UPDATE account SET password_hash = 'y'"), []);
    await accounts.close();
  });
});

test("changes are received from the new primary behind the pooler, although the old one still answers", async () => {
  const cluster = await startCluster();
  const leading = await startPooler(cluster.address);
  const addresses = { databaseUrl: leading.urlOf(cluster.address), databaseDirectUrl: cluster.hosts };
  const behind = await openDatabase("production", { dataDir: "", ...addresses });
  const { feed, heard } = await listen(behind);
  await until(() => feed.isHealthy());
  await cluster.promote();
  // Four concurrent transactions need more connections than are open, so new ones are opened.
  const adding = Array.from({ length: 4 }, () =>
    behind.write((query) => query(insertPet, { name: "x", categoryId: 1 })),
  );
  await Promise.all(adding);
  await until(() => feed.isHealthy());
  await behind.run(statement("SELECT pg_notify('petstore_keys', 'a change')"), []);
  expect(await heard).toBe("a change");
  await behind.close();
  await leading.remove();
  await cluster.remove();
});

describe("refused at the start, in one line", () => {
  async function refusal(settings: Readonly<Record<string, string>>): Promise<string> {
    const { code, out, err } = await petstore({ dataDir: "", settings }, ["serve"]);
    expect([code, out]).toEqual([1, ""]);
    return err;
  }
  const WITHOUT_DIRECT =
    /^petstore: The database at 127.0.0.1:\d+ cannot be used: the address belongs to a pooler that does not keep the settings of a session. Set PETSTORE_DATABASE_DIRECT_URL to the address of the database server itself.\n$/;

  test("only a pooler's address, even if the pooler ignores session settings or keeps sessions", async () => {
    const IGNORED =
      "ignore_startup_parameters = petstore.session,statement_timeout,idle_in_transaction_session_timeout,default_transaction_read_only,enable_seqscan,client_min_messages";
    for (const lines of [[], [IGNORED], [IGNORED, "pool_mode = session"]]) {
      const other = await startPooler(databaseDirectUrl, lines);
      expect(await refusal({ PETSTORE_DATABASE_URL: other.urlOf(databaseDirectUrl) })).toMatch(
        WITHOUT_DIRECT,
      );
      await other.remove();
    }
  });

  test("sessions of another isolation level", async () => {
    const sql = new SQL(databaseDirectUrl, { max: 1 });
    const [{ name }] = await sql`SELECT current_database() AS name`;
    const other = await startPooler(databaseDirectUrl);
    await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    const settings = {
      PETSTORE_DATABASE_URL: other.urlOf(databaseDirectUrl),
      PETSTORE_DATABASE_DIRECT_URL: databaseDirectUrl,
    };
    expect(await refusal(settings)).toMatch(
      /^petstore: The sessions of the pooler at 127.0.0.1:\d+ have the isolation level serializable. Set default_transaction_isolation = 'read committed' for the user of these sessions \(ALTER ROLE\).\n$/,
    );
    await sql.unsafe(`ALTER DATABASE ${name} RESET default_transaction_isolation`);
    await sql.close();
    await other.remove();
  });

  test("a pooler in statement mode, which answers each order with an error", async () => {
    const other = await startPooler(databaseDirectUrl, ["pool_mode = statement"]);
    const settings = {
      PETSTORE_DATABASE_URL: other.urlOf(databaseDirectUrl),
      PETSTORE_DATABASE_DIRECT_URL: databaseDirectUrl,
    };
    expect(await refusal(settings)).toMatch(
      /^petstore: The pooler at 127.0.0.1:\d+ allows no transactions \(.*statement pooling mode.*\). Set pool_mode = transaction there.\n$/,
    );
    const { out } = await petstore({ dataDir: "", settings }, ["doctor"]);
    expect(out).toMatch(
      /fail +pooler: The pooler at 127.0.0.1:\d+ allows no transactions .* Set pool_mode = transaction there./,
    );
    await other.remove();
  });

  test("a direct address that is a pooler's, or of another database", async () => {
    const PETSTORE_DATABASE_URL = pooler.urlOf(databaseDirectUrl);
    expect(
      await refusal({ PETSTORE_DATABASE_URL, PETSTORE_DATABASE_DIRECT_URL: PETSTORE_DATABASE_URL }),
    ).toMatch(WITHOUT_DIRECT);
    expect(
      await refusal({ PETSTORE_DATABASE_URL, PETSTORE_DATABASE_DIRECT_URL: await freshDatabaseUrl() }),
    ).toMatch(
      /^petstore: PETSTORE_DATABASE_URL \(127.0.0.1:\d+\) and PETSTORE_DATABASE_DIRECT_URL \(127.0.0.1:\d+\) lead to different databases. Set both to the same database.\n$/,
    );
  });
});

test("after a read-only phase, the pooler's connections keep its default until RECONNECT, as the log says", async () => {
  const direct = await freshDatabaseUrl();
  const sql = new SQL(direct, { max: 1 });
  const [{ name }] = await sql`SELECT current_database() AS name`;
  // PgBouncer may open only one connection to the server. It might open a second one after the read-only phase, and that one would
  // accept changes.
  const kept = await startPooler(direct, ["default_pool_size = 1"]);
  const pooled = new SQL(kept.urlOf(direct), { max: 1, prepare: false });
  const isReadOnlyIn = async (client: SQL) =>
    (await client.unsafe("SHOW default_transaction_read_only"))[0].default_transaction_read_only;
  const settings = { PETSTORE_DATABASE_URL: kept.urlOf(direct), PETSTORE_DATABASE_DIRECT_URL: direct };
  const server = await startProcess({ store: { dataDir: "", settings } });
  const key = await makeKey(server.store);
  const body = '{"name":"Rex","categoryId":1}';
  const create = async () => (await send("POST", `${server.production}/pets`, { key, body })).status;
  expect(await create()).toBe(201);

  await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await until(async () => (await create()) === 503);
  await server.logged("run RECONNECT in the console of PgBouncer");
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  await sql.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`);

  const fresh = new SQL(direct, { max: 1 });
  expect(await isReadOnlyIn(fresh)).toBe("off");
  await fresh.close();
  // Within these three seconds, the service checks at least once whether the database accepts changes again.
  for (let second = 0; second < 3; second++) {
    await Bun.sleep(1_000);
    expect([await isReadOnlyIn(pooled), await create()]).toEqual(["on", 503]);
  }
  await kept.reconnect();
  await until(async () => (await create()) === 201);
  expect(await isReadOnlyIn(pooled)).toBe("off");
  await pooled.close();
  await server.kill();
  await kept.remove();
  await sql.close();
});

test("petstore doctor names the server behind the pooler", async () => {
  const settings = {
    PETSTORE_DATABASE_URL: pooler.urlOf(databaseDirectUrl),
    PETSTORE_DATABASE_DIRECT_URL: databaseDirectUrl,
  };
  const { out } = await petstore({ dataDir: "", settings }, ["doctor"]);
  expect(out).toMatch(
    /ok +pooler: 127.0.0.1:\d+ leads to the same database as PETSTORE_DATABASE_DIRECT_URL; prepared statements are not used/,
  );
});

test("petstore doctor says once that the direct address is missing", async () => {
  const settings = { PETSTORE_DATABASE_URL: pooler.urlOf(databaseDirectUrl) };
  const { out } = await petstore({ dataDir: "", settings }, ["doctor"]);
  expect(out.split("\n").filter((line) => line.startsWith("fail"))).toEqual([
    expect.stringMatching(
      /^fail {2}database server: .* the address belongs to a pooler that does not keep the settings of a session. Set PETSTORE_DATABASE_DIRECT_URL to the address of the database server itself.$/,
    ),
  ]);
});
