import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { ServiceError } from "../../src/errors.ts";
import type { IdempotencyRecord } from "../../src/storage/database.ts";
import { insertion } from "../../src/storage/insertion.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { numberColumn } from "../../src/storage/row.ts";
import { emptyDatabaseUrl } from "../postgres/database.ts";
import { describeStorage } from "./behaviour.ts";

describeStorage("PostgreSQL", 4, async () => {
  const databaseUrl = await emptyDatabaseUrl();
  const reopen = () => openDatabase("production", { dataDir: "", databaseUrl });
  return { database: await reopen(), reopen };
});

describe("the PostgreSQL engine", () => {
  test("one statement stores a row and its idempotency record, only once until the record expires", async () => {
    const database = await openDatabase("production", { dataDir: "", databaseUrl: await emptyDatabaseUrl() });
    const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
    const insert = (key: string, times: Pick<IdempotencyRecord, "now" | "oldest">) =>
      database.create(
        { insertion: insertPet, values: { name: "x", categoryId: 2n ** 63n - 1n } },
        {
          record: {
            name: { accountId: 1, environment: "production", path: "/v1/pets", key },
            fingerprint: new Uint8Array(32),
            outcome: 201,
            ...times,
          },
        },
      );
    expect(await insert("a", { now: 1_000, oldest: 0 })).toEqual([1]);
    expect(await insert("a", { now: 1_001, oldest: 999 })).toEqual([]);
    expect(await insert("b", { now: 1_002, oldest: 999 })).toEqual([2]);
    // The new row gets the identifier 3, so the refused retry has not used up an identifier. The row is stored because the record
    // for the idempotency key "a" has expired.
    expect(await insert("a", { now: 2_000, oldest: 1_000 })).toEqual([3]);
    expect(await insert("a", { now: 2_001, oldest: 1_001 })).toEqual([]);
    const rivals = await Promise.all(
      Array.from({ length: 20 }, () => insert("c", { now: 3_000, oldest: 0 })),
    );
    expect(rivals.filter((made) => made?.length === 1)).toHaveLength(1);
    expect(
      await database.read(
        {
          sql: "SELECT count(*) AS pets FROM pet",
          decode: numberColumn("pets"),
        },
        [],
      ),
    ).toEqual([4]);
    await database.close();
  });

  test("works for a user who may not ask for the server's timeline", async () => {
    const url = new URL(await emptyDatabaseUrl());
    const sql = new SQL(url.href, { max: 1 });
    const user = url.pathname.slice(1);
    await sql
      .unsafe(`REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC; CREATE ROLE ${user} LOGIN;
      GRANT CREATE ON DATABASE ${user} TO ${user}`)
      .simple();
    url.username = user;
    const database = await openDatabase("production", { dataDir: "", databaseUrl: url.href });
    await database.wholeTables.setNextId("pet", 7n);
    expect(await database.wholeTables.nextId("pet")).toBe(7n);
    await database.close();
    await sql.unsafe(`DROP OWNED BY ${user}; DROP ROLE ${user}`).simple();
    await sql.close();
  });

  test("refuses a database whose encoding lacks characters of names", async () => {
    const url = new URL(await emptyDatabaseUrl());
    const name = `${url.pathname.slice(1)}_latin`;
    const sql = new SQL(url.href, { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'`);
    await sql.close();
    url.pathname = `/${name}`;
    await expect(openDatabase("production", { dataDir: "", databaseUrl: url.href })).rejects.toThrow(
      `The database at ${url.host} cannot be used: its encoding LATIN1 cannot store all names. Create another database with createdb --encoding=UTF8 --template=template0.`,
    );
  });

  test.each(["ALTER ROLE $user NOLOGIN", "ALTER DATABASE $user ALLOW_CONNECTIONS false"])(
    "a server that refuses all connections is reported as unavailable, not as an internal error: %s",
    async (refuse) => {
      const url = new URL(await emptyDatabaseUrl());
      const user = url.pathname.slice(1);
      const sql = new SQL(new URL("/postgres", url).href, { max: 1 });
      await sql.unsafe(`CREATE ROLE ${user} LOGIN; GRANT CREATE ON DATABASE ${user} TO ${user}`).simple();
      url.username = user;
      const database = await openDatabase("production", { dataDir: "", databaseUrl: url.href });
      await database.wholeTables.setNextId("pet", 7n);
      await sql.unsafe(refuse.replace("$user", user));
      await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = ${user}`;
      const isUnavailable = async (work: () => Promise<unknown>): Promise<boolean> => {
        const error = await work().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        return error instanceof ServiceError && error.code === "unavailable";
      };
      // The first call may still use a connection that PostgreSQL is about to close.
      for (let count = 0; count < 3; count++) {
        expect(await isUnavailable(() => database.wholeTables.nextId("pet"))).toBe(true);
        expect(await isUnavailable(() => database.wholeTables.setNextId("pet", 8n))).toBe(true);
      }
      await sql.unsafe(`ALTER ROLE ${user} LOGIN; ALTER DATABASE ${user} ALLOW_CONNECTIONS true`).simple();
      expect(await database.wholeTables.nextId("pet")).toBe(7n);
      await database.close();
      await sql.close();
    },
  );

  test("if none of several servers can be used, the one that answers says why", async () => {
    const url = new URL(await emptyDatabaseUrl());
    const databaseUrl = `postgres://nobody@127.0.0.1:1,${url.host}${url.pathname}`;
    await expect(openDatabase("production", { dataDir: "", databaseUrl })).rejects.toThrow(
      'cannot be used: role "nobody" does not exist.',
    );
  });

  test("a change feed that lost its connection reports that changes may have been missed", async () => {
    const databaseUrl = await emptyDatabaseUrl();
    const database = await openDatabase("accounts", { dataDir: "", databaseUrl });
    const received: (string | undefined)[] = [];
    let wake = (): void => {};
    const feed = await database.subscribe("keys", (payload) => {
      received.push(payload);
      wake();
    });
    expect(received).toEqual([undefined]);
    const sql = new SQL(databaseUrl, { max: 1 });
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query ~ '^(UN)?LISTEN'`;
    while (received.length < 2) await new Promise<void>((resolve) => (wake = resolve));
    expect(received).toEqual([undefined, undefined]);
    await sql.close();
    await feed.close();
    await database.close();
  });
});
