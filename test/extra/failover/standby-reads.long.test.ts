import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import { type Statement, statement } from "../../../src/storage/statement.ts";
import { freePort, type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { createTestApp } from "../../test-app.ts";
import { until } from "../../until.ts";
import { petstore } from "../../wire/process.ts";
import { makeStandby } from "./cluster.ts";

// Tests reads from two asynchronous standbys. Each read must include every write that any process has acknowledged.

const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
const selectNewest: Statement<[], { newest: number; isStandby: boolean }> = statement(
  "SELECT coalesce(max(id), 0) AS newest, pg_is_in_recovery()::int::bigint AS standby FROM pet",
  (row) => ({ newest: numberColumn("newest")(row), isStandby: numberColumn("standby")(row) === 1 }),
);

let primary: PostgresServer;
let standbys: readonly PostgresServer[];
/** `writer` uses only the primary, whereas `reader` also reads from the standbys. */
let writer: Database;
let reader: Database;

beforeAll(async () => {
  primary = await startPostgres();
  const databaseUrl = primary.url;
  writer = await openDatabase("production", { dataDir: "", databaseUrl });
  standbys = [
    await makeStandby(primary, freePort(), primary.port),
    await makeStandby(primary, freePort(), primary.port),
  ];
  const databaseReplicas = standbys.map(({ url }) => url);
  reader = await openDatabase("production", { dataDir: "", databaseUrl, databaseReplicas });
  await add();
  await until(isReadAtStandby);
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await Promise.all([...standbys, primary].map((server) => server.remove()));
});

const read = async () => {
  const [row] = await reader.read(selectNewest, []);
  return row ?? { newest: 0, isStandby: false };
};
const isReadAtStandby = async () => (await read()).isStandby;
const add = async () => (await writer.run(insertPet, { name: "x", categoryId: 1 }))[0] ?? 0;

async function onStandbys(...statements: readonly string[]): Promise<void> {
  for (const { url } of standbys) {
    const sql = new SQL(url, { max: 1 });
    for (const text of statements) await sql.unsafe(text);
    await sql.close();
  }
}

test("while standbys lag, a read shows every write acknowledged before it, and everything that an earlier read showed", async () => {
  const ROUNDS = 300;
  const READS_AT_STANDBYS = 300;
  await onStandbys("ALTER SYSTEM SET recovery_min_apply_delay = '30ms'", "SELECT pg_reload_conf()");
  let acknowledged = 0;
  let written = 0;
  let shown = 0;
  const outdated: string[] = [];
  let atStandbys = 0;
  let isOver = false;
  async function readOn(): Promise<void> {
    while (!isOver) {
      const known = Math.max(acknowledged, shown);
      const { newest, isStandby } = await read();
      if (newest < known) outdated.push(`${newest} after ${known}`);
      shown = Math.max(shown, newest);
      if (isStandby) atStandbys++;
    }
  }
  async function write(): Promise<void> {
    // After a standby has stalled, the service does not read from it for 1 s. The writes therefore continue until the standbys have
    // answered enough reads.
    const isEnough = () => atStandbys >= READS_AT_STANDBYS || written >= 20 * ROUNDS;
    for (; written < ROUNDS || !isEnough(); written++) acknowledged = await add();
    isOver = true;
  }
  await Promise.all([write(), ...Array.from({ length: 16 }, readOn)]);
  await onStandbys("ALTER SYSTEM RESET recovery_min_apply_delay", "SELECT pg_reload_conf()");
  expect(outdated).toEqual([]);
  expect(atStandbys).toBeGreaterThanOrEqual(READS_AT_STANDBYS);
});

test("while standbys lag for longer than they may, reads go to the primary; then to the standbys again", async () => {
  await onStandbys("SELECT pg_wal_replay_pause()");
  const id = await add();
  for (const shown of await Promise.all([read(), read(), read()]))
    expect(shown).toEqual({ newest: id, isStandby: false });
  await onStandbys("SELECT pg_wal_replay_resume()");
  await until(isReadAtStandby);
  const [frozen] = standbys;
  await frozen?.freeze();
  for (let turn = 0; turn < 8; turn++) {
    const added = await add();
    expect((await read()).newest).toBe(added);
  }
  await frozen?.thaw();
});

test("a metric counts the standbys that are not read from, until they answer again", async () => {
  const databaseReplicas = standbys.map(({ url }) => url).join();
  const app = await createTestApp({}, { databaseUrl: primary.url, databaseReplicas });
  const { token: key } = await app.makeKey();
  /**
   * Adds an animal and reads a page that is not cached. Returns the number of standbys that are currently not read from, according
   * to the metric.
   */
  const leftOut = async () => {
    await add();
    await app.send("production", "GET /v1/pets?limit=1", { key });
    return app.reading("petstore_database_standbys_left_out");
  };
  const isLeftOut = (count: number) => until(async () => (await leftOut()) === count);
  await isLeftOut(0);
  const [frozen] = standbys;
  await frozen?.freeze();
  await isLeftOut(1);
  await frozen?.thaw();
  await isLeftOut(0);
  await app.close();
});

test("the views for reports can be read at a standby", async () => {
  const id = await add();
  const [{ url } = primary] = standbys;
  const sql = new SQL(url, { max: 1 });
  await until(async () => {
    const [newest] = await sql`SELECT id, pg_is_in_recovery() AS standby FROM production.report_animals
      ORDER BY id DESC LIMIT 1`;
    return newest.standby && Number(newest.id) === id;
  });
  for (const view of ["report_orders", "report_sales_by_day"])
    expect([...(await sql.unsafe(`SELECT * FROM production.${view}`))]).toEqual([]);
  await sql.close();
});

test("a cached page is never older than the last acknowledged write either", async () => {
  const databaseReplicas = standbys.map(({ url }) => url).join();
  const [one, two] = await Promise.all([
    createTestApp({}, { databaseUrl: primary.url }),
    createTestApp({}, { databaseUrl: primary.url, databaseReplicas }),
  ]);
  const { token: key } = await one.makeKey();
  const body = '{"name":"x","categoryId":1}';
  const create = async () =>
    JSON.parse(await (await one.send("production", "POST /v1/pets", { key, body })).text());
  const list = async () =>
    JSON.parse(await (await two.send("production", "GET /v1/pets?limit=1", { key })).text());
  await onStandbys("ALTER SYSTEM SET recovery_min_apply_delay = '5ms'", "SELECT pg_reload_conf()");
  for (let turn = 0; turn < 100; turn++) {
    const { id } = await create();
    const pages = await Promise.all(Array.from({ length: 8 }, list));
    expect(pages.map(([pet]) => pet.id)).toEqual(Array.from({ length: 8 }, () => id));
  }
  await onStandbys("ALTER SYSTEM RESET recovery_min_apply_delay", "SELECT pg_reload_conf()");
  await one.close();
  await two.close();
});

test("while one standby is ahead of the other, no read at a version lacks anything that an earlier read showed", async () => {
  const [behind] = standbys;
  if (behind === undefined) throw new Error("There is no standby.");
  const paused = new SQL(behind.url, { max: 1 });
  await until(isReadAtStandby);
  const version = await reader.versions.current();
  if (version === undefined || reader.versions.readAt === undefined)
    throw new Error("It does not read at standbys.");
  for (let turn = 0; turn < 4; turn++) await reader.versions.readAt(version)(selectNewest, []);
  await paused.unsafe("SELECT pg_wal_replay_pause()");
  const id = await add();
  await until(async () => (await read()).newest === id);
  const shown: number[][] = [];
  for (let page = 0; page < 4; page++) {
    const readAt = reader.versions.readAt(version);
    const ofPage: number[] = [];
    for (let turn = 0; turn < 4; turn++)
      ofPage.push(...(await readAt(selectNewest, [])).map(({ newest }) => newest));
    shown.push(ofPage);
  }
  await paused.unsafe("SELECT pg_wal_replay_resume()");
  await paused.close();
  expect(shown).toEqual(shown.map((ofPage) => ofPage.toSorted((one, other) => one - other)));
});

test("a primary in the list of standbys is not used for reads after its first answer", async () => {
  // The database is new, so that its statistics contain no reads of other sessions.
  const databaseUrl = new URL("/alone", primary.url).href;
  const admin = new SQL(primary.url, { max: 1 });
  await admin`CREATE DATABASE alone`;
  await admin.close();
  await (await openDatabase("production", { dataDir: "", databaseUrl })).close();
  const sql = new SQL(databaseUrl, { max: 1, bigint: false });
  /** PostgreSQL adds a session's reads to its statistics when the session ends. */
  const untilSessionsEnded = () =>
    until(async () => {
      const sessions = await sql`SELECT FROM pg_stat_activity
        WHERE application_name = 'petstore' AND datname = current_database()`;
      return sessions.length === 0;
    });
  const positionReads = async () => {
    await untilSessionsEnded();
    const [row] = await sql`SELECT (blks_read + blks_hit)::int AS reads FROM pg_statio_all_sequences
      WHERE schemaname = 'production' AND relname = 'timeline'`;
    return row.reads;
  };
  const before = await positionReads();
  const other = await openDatabase("production", {
    dataDir: "",
    databaseUrl,
    databaseReplicas: [databaseUrl],
  });
  expect(await other.read(selectNewest, [])).toMatchObject([{ isStandby: false }]);
  await other.close();
  expect((await positionReads()) - before).toBeLessThan(20);
  await sql.close();
});

test("petstore doctor says which of the servers are standbys, which is the primary, and which is neither", async () => {
  const other = await startPostgres();
  const PETSTORE_DATABASE_REPLICAS = [
    ...[standbys[0]?.url, primary.url, other.url],
    "postgres://ada:pa55word@127.0.0.1:1/x",
  ].join();
  const settings = { PETSTORE_DATABASE_URL: primary.url, PETSTORE_DATABASE_REPLICAS };
  const { out } = await petstore({ dataDir: "", settings }, ["doctor"]);
  await other.remove();
  expect(out).toMatch(
    /ok {4}replica 127.0.0.1:\d+\/postgres: this server is a standby that can answer reads\n/,
  );
  expect(out).toContain(
    `ok    replica 127.0.0.1:${primary.port}/postgres: this server is the primary now, so the service does not use it as a standby\n`,
  );
  expect(out).toContain(
    `fail  replica 127.0.0.1:${other.port}/postgres: is not a standby. Remove it from PETSTORE_DATABASE_REPLICAS.\n`,
  );
  expect(out).toMatch(/warn {2}replica 127.0.0.1:1\/x: cannot answer reads: /);
  expect(out).not.toContain("pa55word");
});

test("once a standby is promoted, no read uses a standby of the old primary, however long its log is", async () => {
  const [promoted, left] = standbys;
  if (promoted === undefined || left === undefined) throw new Error("There are two standbys.");
  const known = await add();
  await until(async () => {
    const sql = new SQL(promoted.url, { max: 1, bigint: false });
    const [row] = await sql`SELECT max(id)::int AS newest FROM production.pet`;
    await sql.close();
    return row.newest === known;
  });
  const sql = new SQL(promoted.url, { max: 1 });
  await sql`SELECT pg_promote()`;
  await sql.close();
  // The old primary still accepts writes and passes them on to its standby. This insertion makes their WAL longer than that of the
  // new primary.
  const fill: Statement<[]> = statement(
    "INSERT INTO pet (name, category_id) SELECT repeat('x', 1000), 1 FROM generate_series(1, 5000)",
  );
  await writer.run(fill, []);
  const after = await openDatabase("production", {
    dataDir: "",
    databaseUrl: promoted.url,
    databaseReplicas: [left.url],
  });
  const id = (await after.run(insertPet, { name: "x", categoryId: 1 }))[0];
  for (let turn = 0; turn < 3; turn++) {
    expect(await after.read(selectNewest, [])).toEqual([{ newest: id ?? 0, isStandby: false }]);
  }
  await after.close();
});
