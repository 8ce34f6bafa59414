import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { COMMIT_BATCH_MAX } from "../../src/limits.ts";
import { insertOrder } from "../../src/orders/store.ts";
import { insertPet } from "../../src/pets/store.ts";
import type { Database, IdempotencyRecord } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { createGroupInsert } from "../../src/storage/postgres/group-insert.ts";
import { COMMIT_BATCH_CHARACTERS_MAX } from "../../src/storage/postgres/group-queue.ts";
import { textColumn } from "../../src/storage/row.ts";
import { noRows, type Row, type Statement } from "../../src/storage/statement.ts";
import { EVENT, newPet } from "../new-pet.ts";
import { createTestApp } from "../test-app.ts";
import { until, untilCached } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";
import { startRelay } from "./relay.ts";

// Rows that arrive while a statement is running are inserted together by the next statement. A row's `xmin` tells which transaction
// stored it.

const CLIENTS = 64;

let databaseUrl: string;
let database: Database;
let sql: SQL;
beforeEach(async () => {
  databaseUrl = await freshDatabaseUrl();
  database = await openDatabase("production", { dataDir: "", databaseConnections: 5, databaseUrl });
  sql = new SQL(databaseUrl, { max: 2, bigint: true, connection: { search_path: "production" } });
  // Opens the connection beforehand, so that a row that waits for a statement does not also wait for that.
  await database.run(preparedInsertions, []);
});
afterEach(async () => {
  await database.close();
  await sql.close();
});

const add = (name: string, status: "available" | null = null) =>
  database.create(newPet(name, 2n ** 63n - 1n, status));
const recordOf = (key: string): IdempotencyRecord => ({
  name: { accountId: 1, environment: "production", path: "/v1/pets", key },
  fingerprint: new Uint8Array(32).fill(0xab),
  outcome: 201,
  now: 2 ** 40 + 1,
  oldest: 2 ** 40,
});
const addKeyed = (key: string, name = key, beforeSending?: () => void) =>
  database.create(newPet(name, 1, "sold"), { record: recordOf(key), beforeSending });
const atOnce = <Result>(run: (index: number) => Promise<Result>, count = CLIENTS) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
const storedNames = async () =>
  (await sql<{ name: string }[]>`SELECT name FROM pet ORDER BY id`).map(({ name }) => name);
async function countTransactions(table = "pet"): Promise<number> {
  const [row] = await sql.unsafe<{ n: bigint }[]>(`SELECT count(DISTINCT xmin::text) AS n FROM ${table}`);
  return Number(row?.n);
}
/** Prevents inserts into a table by locking it. Returns a function that releases the lock. */
async function holdTable(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction`LOCK TABLE pet IN SHARE MODE`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  return async () => {
    held.resolve();
    await holding;
  };
}
/** Resolves once `count` statements are waiting for a database lock. */
const untilBlocked = (count = 1n) =>
  until(async () => {
    const [row] = await sql<{ n: bigint }[]>`SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (row?.n ?? 0n) >= count;
  });
const refuse = (what: string) =>
  sql.unsafe(`ALTER TABLE pet ADD CONSTRAINT refused CHECK (name NOT LIKE '${what}')`);

test("rows that arrive at once share a statement, with and without records; identifiers are in the order of arrival", async () => {
  const rows = await atOnce((index) =>
    index % 3 === 0 ? addKeyed(`${index}`) : add(`${index}`, index % 2 === 0 ? "available" : null),
  );
  expect(rows.map(([pet]) => pet)).toEqual(
    rows.map((_, index) => ({
      id: index + 1,
      name: `${index}`,
      categoryId: index % 3 === 0 ? 1 : 2n ** 63n - 1n,
      status: index % 3 === 0 ? "sold" : index % 2 === 0 ? "available" : undefined,
      externalId: undefined,
    })),
  );
  expect(await storedNames()).toEqual(rows.map((_, index) => `${index}`));
  expect(await countTransactions()).toBeLessThanOrEqual(2);
  const records =
    await sql`SELECT idempotency_key, fingerprint, status, created_at, resource_id, body FROM idempotency_record
    ORDER BY resource_id LIMIT 2`;
  expect([...records]).toEqual(
    [0n, 3n].map((index) => ({
      idempotency_key: String(index),
      fingerprint: Buffer.alloc(32, 0xab),
      status: 201n,
      created_at: 2n ** 40n + 1n,
      resource_id: index + 1n,
      body: null,
    })),
  );
});

test("rows keep their order when they need several statements or go to several tables", async () => {
  const count = COMMIT_BATCH_MAX + 10;
  const pets = atOnce((index) => add(`${index}`), count);
  const orders = await atOnce((index) =>
    database.run(insertOrder.changing, {
      petId: index,
      quantity: 1,
      shipDate: null,
      complete: 0,
      createdAt: 0,
      completedAt: null,
    }),
  );
  expect((await pets).map(([pet]) => pet?.id)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
  expect(orders.map(([order]) => order?.petId)).toEqual(orders.map((_, index) => index));
  expect(await countTransactions()).toBe(2);
  expect(await countTransactions("store_order")).toBe(1);
});

test("long texts are split over several statements of bounded size", async () => {
  const long = "x".repeat(COMMIT_BATCH_CHARACTERS_MAX / 2 - 100);
  await atOnce(() => add(long), 5);
  expect(await countTransactions()).toBe(3);
});

test("a group preserves any text and any integer, and each kind of group is prepared once", async () => {
  const names = [
    'a"b',
    "back\\slash",
    "{x,y}",
    "NULL",
    "null",
    "",
    " ",
    ",",
    "é é 🐈 \u0001\t\n ' \uFFFF",
    "\\N",
    '\\"',
  ];
  const ids = [0, -1, 9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (const count of [1, 2, names.length]) {
    const pets = await atOnce(
      (index) => database.create(newPet(names[index] ?? "", ids[index % ids.length])),
      count,
    );
    const stored = await sql`SELECT name, category_id FROM pet ORDER BY id DESC LIMIT ${count}`;
    const sent = pets.map((_, index) => ({
      name: names[index],
      category_id: BigInt(ids[index % ids.length] ?? 0),
    }));
    expect([...stored].reverse()).toEqual(sent);
    expect(pets.map(([pet]) => ({ name: pet?.name, category_id: BigInt(pet?.categoryId ?? 0) }))).toEqual(
      sent,
    );
    await atOnce((index) => addKeyed(`${names[index]}${count}`, names[index]), count);
  }
  expect(await database.run(preparedInsertions, [])).toHaveLength(2);
});

const preparedInsertions: Statement<[]> = {
  sql: "SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO pet%'",
  decode: noRows,
};

test("a plan made for an empty table does not read the whole table once it has grown", async () => {
  await sql`ANALYZE`;
  const record = recordOf("k");
  const { statement, values } = createGroupInsert(insertPet.creating)([
    { ...newPet("x"), entry: EVENT, record },
  ]);
  const explain = { sql: `EXPLAIN ${statement.sql}`, decode: (row: Row) => textColumn("QUERY PLAN")(row) };
  const plan = (await database.run(explain, values)).join("\n");
  expect(plan).toContain("Index Scan using idempotency_record_pkey");
  expect(plan).not.toContain("Seq Scan");
});

test("a row that the database refuses does not affect the other rows", async () => {
  await refuse("bad%");
  const names = Array.from({ length: CLIENTS }, (_, index) =>
    index === 5 || index === 40 ? `bad ${index}` : `${index}`,
  );
  const results = await Promise.allSettled(
    names.map((name, index) => (index % 2 === 0 ? addKeyed(name) : add(name))),
  );
  const refused = results.flatMap(({ status }, index) => (status === "rejected" ? index : []));
  expect(refused).toEqual([5, 40]);
  expect(await storedNames()).toEqual(names.filter((name) => !name.startsWith("bad")));
  const records = await sql<{ key: string }[]>`SELECT idempotency_key AS key FROM idempotency_record`;
  expect(records.map(({ key }) => key).sort()).toEqual(
    names.filter((_, index) => index % 2 === 0 && index !== 40).sort(),
  );
});

const raiseDiskFull = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON pet EXECUTE FUNCTION refuse()`;
test.each([
  [
    "a missing table is an error",
    { name: "PostgresError" },
    "ALTER TABLE pet RENAME TO elsewhere",
    "ALTER TABLE elsewhere RENAME TO pet",
  ],
  ["a full disk is unavailability", { code: "unavailable" }, raiseDiskFull, "DROP TRIGGER full_disk ON pet"],
])(
  "an error that the rows did not cause is not retried with fewer rows: %s",
  async (_, reason, fail, mend) => {
    const relay = startRelay(databaseUrl);
    const behind = await openDatabase("production", { dataDir: "", databaseUrl: relay.url });
    try {
      const addBehind = () => behind.create(newPet("x"));
      await addBehind();
      await sql.unsafe(fail).simple();
      relay.statements.length = 0;
      const results = await Promise.allSettled(Array.from({ length: CLIENTS }, addBehind));
      for (const result of results) expect(result).toMatchObject({ status: "rejected", reason });
      const sent = relay.statements.filter((each) => each.includes("INSERT INTO production.pet"));
      // If an insertion uses the same statement as the first one, the text of the statement is not sent again.
      expect(sent.length).toBeLessThanOrEqual(2);
      await sql.unsafe(mend);
      expect(await addBehind()).toHaveLength(1);
    } finally {
      await behind.close();
      relay.stop();
    }
  },
);

test("two processes store an equal key only once, even if transactions are serializable by default", async () => {
  await sql.unsafe(
    `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET default_transaction_isolation = 'serializable'`,
  );
  const open = () => openDatabase("production", { dataDir: "", databaseUrl });
  const processes = [await open(), await open()];
  try {
    for (let round = 0; round < 50; round++) {
      const record = recordOf(`${round}`);
      const stored = await Promise.all(processes.map((one) => one.create(newPet("x"), { record })));
      expect(stored.flat()).toHaveLength(1);
    }
  } finally {
    for (const one of processes) await one.close();
  }
});

test("a group stores an equal key only once; a key that exists already does not affect the other rows", async () => {
  await addKeyed("there");
  const keys = ["a", "twice", "b", "there", "twice", "c", "twice"];
  const rows = await Promise.all(keys.map((key) => addKeyed(key)));
  expect(rows.map(({ length }) => length)).toEqual([1, 1, 1, 0, 0, 1, 0]);
  expect(await storedNames()).toEqual(["there", "a", "twice", "b", "c"]);
});

test("a row whose caller disconnects while it waits is not written and uses no identifier", async () => {
  const release = await holdTable();
  const first = add("first");
  await untilBlocked();
  let isGone = false;
  const gone = addKeyed("gone", "gone", () => {
    if (isGone) throw new Error("gone");
  });
  const last = addKeyed("last");
  isGone = true;
  gone.catch(() => {});
  await release();
  await expect(gone).rejects.toThrow("gone");
  expect([(await first)[0]?.id, (await last)[0]?.id]).toEqual([1, 2]);
  expect(await storedNames()).toEqual(["first", "last"]);
});

test("when a connection breaks, only the outcomes of its rows are unknown, and a retry with the same key adds no second row", async () => {
  const release = await holdTable();
  const keys = Array.from({ length: 10 }, (_, index) => `k${index}`);
  const sent = keys.map((key) => addKeyed(key));
  await untilBlocked();
  const waiting = [add("waited"), addKeyed("waited too")];
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (const one of await Promise.allSettled(sent))
    expect(one).toMatchObject({
      status: "rejected",
      reason: { code: "unavailable", message: expect.stringContaining("may or may not have been made") },
    });
  await release();
  expect((await Promise.all(waiting)).map(({ length }) => length)).toEqual([1, 1]);
  await Promise.all(keys.map((key) => addKeyed(key)));
  expect([...(await storedNames())].sort()).toEqual([...keys, "waited", "waited too"].sort());
});

const unlimited: Statement<[]> = { sql: "SET statement_timeout = 0", decode: noRows };

test("a row that waits past its deadline is refused without being sent, and the running statement completes", async () => {
  // The server cancels a statement only one second after a waiting row's deadline. Without that timeout, the running statement has
  // as long as the service waits for it.
  await database.run(unlimited, []);
  const release = await holdTable();
  const first = add("first");
  await untilBlocked();
  const late = add("late");
  await expect(late).rejects.toMatchObject({
    code: "unavailable",
    message: "The store cannot be reached right now. Try again.",
  });
  await release();
  expect(await first).toHaveLength(1);
  expect(await storedNames()).toEqual(["first"]);
});

test("200 changes by one key to a locked row do not block another key, and no wait is logged as a fault", async () => {
  const app = await createTestApp({}, { databaseUrl });
  const [busy, calm] = [(await app.makeKey()).token, (await app.makeKey()).token];
  for (const name of ["locked", "free"]) await add(name);
  for (const key of [busy, calm]) await untilCached(app, key);
  const rename = (key: string, id: number) =>
    app.send("production", `PATCH /v1/pets/${id}`, { key, body: '{"name":"y"}' });
  await sql.begin(async (transaction) => {
    await transaction`SELECT FROM pet WHERE id = 1 FOR UPDATE`;
    const hostile = atOnce(() => rename(busy, 1), 200);
    await untilBlocked(3n);
    expect((await rename(calm, 2)).status).toBe(200);
    expect((await hostile).map(({ status }) => status)).toEqual(Array(200).fill(503));
  });
  expect(Bun.inspect(app.logged)).not.toContain("AcquireTimeoutError");
  await app.close();
});

test("a creation is tried only a limited number of times if its value is refused as a duplicate, but no row has it", async () => {
  const app = await createTestApp({}, { databaseUrl });
  const { token: key } = await app.makeKey();
  await sql.unsafe(`CREATE SEQUENCE attempts;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM nextval('production.attempts');
      RAISE unique_violation;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON pet FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const body = JSON.stringify({ name: "x", categoryId: 1, externalId: "A-1" });
  const refused = await app.send("production", "POST /v1/pets", { key, body });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(JSON.parse(await refused.text()).message).toContain("Nothing was created.");
  const [row] = await sql<{ attempts: bigint }[]>`SELECT last_value AS attempts FROM attempts`;
  expect(row?.attempts).toBe(40n);
  await app.close();
});
