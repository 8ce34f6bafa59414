import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { openLog } from "../../src/console/count-by-day.ts";
import { appendEvent, type StoredEvent, selectEventPage, selectLogEnd } from "../../src/events/store.ts";
import { type Database, probe } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { singleRow } from "../../src/storage/row.ts";
import { selectTargets } from "../../src/webhooks/queue-store.ts";
import { EVENT, newPet } from "../new-pet.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";

// PostgreSQL assigns the identifiers of events in order, but the events may be committed in a different order. A reader of the
// event log misses no event, and waits only for transactions of petstore itself.

let databaseUrl: string;
let sql: SQL;
const processes: Database[] = [];

beforeEach(async () => {
  databaseUrl = await freshDatabaseUrl();
  await startProcess();
  sql = new SQL(databaseUrl, { max: 4, bigint: true });
});
afterEach(async () => {
  for (const database of processes.splice(0)) await database.close();
  await sql.close();
});

async function startProcess(): Promise<Database> {
  const database = await openDatabase("production", { dataDir: "", databaseUrl });
  processes.push(database);
  return database;
}
const first = () => processes[0] as Database;

const add = (database: Database) => database.create(newPet("x"));

/** Appends an event in a transaction that stays open until `commit` or `fail` is called. */
async function hold(name: string, database = first()) {
  const appended = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const written = database.write(async (query) => {
    await query(appendEvent, { ...EVENT, petId: 1, type: "pet.updated", requestId: name });
    // Nobody waits for the response to an append. Once a later statement is answered, the event has its identifier.
    await query(probe, []);
    appended.resolve();
    await end.promise;
  });
  written.catch(() => {});
  await appended.promise;
  return {
    commit() {
      end.resolve();
      return written;
    },
    fail() {
      end.reject(new Error("fails"));
      return written.catch(() => {});
    },
  };
}

/**
 * Creates a reader of the event log, such as an event stream or a webhook. Each call reads further, and returns the names of all
 * events read so far.
 */
function createFollower(database = first()) {
  const read: StoredEvent[] = [];
  return {
    read,
    async next() {
      const end = singleRow(await database.read(selectLogEnd, []));
      const above = BigInt(read.at(-1)?.id ?? 0);
      const range = { order: "asc", above, below: end + 1n } as const;
      const { statement, values } = selectEventPage({}, range, 10_000);
      read.push(...(await database.read(statement, values)));
      return read.map(({ requestId }) => requestId);
    },
  };
}
const logEnd = async () => singleRow(await first().read(selectLogEnd, []));

interface Plan {
  readonly "Function Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Plan[];
}

/** Reads the end position of the event log. Returns true if PostgreSQL had to list all of its locks for that. */
async function listsLocks(): Promise<boolean> {
  const [row] = await sql.unsafe("EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM production.event_end");
  const hasRun = (plan: Plan): boolean =>
    (plan["Function Name"] === "pg_lock_status" && plan["Actual Loops"] > 0) ||
    (plan.Plans ?? []).some(hasRun);
  return hasRun(row["QUERY PLAN"][0].Plan);
}

test("when two transactions commit in the opposite order, a reader sees no event before the first one, and then both in order", async () => {
  const follower = createFollower();
  const other = createFollower(await startProcess());
  const early = await hold("early");
  const late = await hold("late");
  await late.commit();
  expect(await follower.next()).toEqual([]);
  expect(await other.next()).toEqual([]);
  const days = await openLog(first().read);
  expect(await days?.search(0)).toBe(2);
  await early.commit();
  expect(await follower.next()).toEqual(["early", "late"]);
});

test("events before a transaction that is still open are read, and those after one that failed", async () => {
  const follower = createFollower();
  await (await hold("one")).commit();
  const open = await hold("fails");
  await (await hold("two")).commit();
  expect(await follower.next()).toEqual(["one"]);
  await open.fail();
  expect(await follower.next()).toEqual(["one", "two"]);
});

test("four readers that follow four concurrently writing processes miss no event", async () => {
  for (let index = 0; index < 3; index++) await startProcess();
  const followers = processes.map((database) => createFollower(database));
  // Opens the connections of each process beforehand. On a busy machine, opening all of them at once would take too long.
  for (const [index, database] of processes.entries()) {
    await add(database);
    await (await hold("changed", database)).commit();
    await followers[index]?.next();
  }
  const count = 400;
  let isWriting = true;
  const writing = Promise.all(
    processes.flatMap((database) => [
      ...Array.from({ length: count }, () => add(database)),
      (async () => {
        for (let index = 0; index < 20; index++) await (await hold("changed", database)).commit();
      })(),
    ]),
  ).finally(() => {
    isWriting = false;
  });
  await Promise.all(
    followers.map(async (follower) => {
      while (isWriting) await follower.next();
    }),
  );
  await writing;
  const stored = await sql`SELECT id FROM production.event ORDER BY id`;
  expect(stored).toHaveLength(4 * (2 + count + 20));
  for (const follower of followers) {
    await follower.next();
    expect(follower.read.map(({ id }) => BigInt(id))).toEqual(
      stored.map(({ id }: { id: bigint }) => BigInt(id)),
    );
  }
});

test("the server's locks are listed only while an event is being written, and a reader leaves no lock behind", async () => {
  await (await hold("one")).commit();
  expect(await listsLocks()).toBe(false);
  const open = await hold("two");
  await until(listsLocks);
  await open.commit();
  expect(await listsLocks()).toBe(false);
  await Promise.all(Array.from({ length: 20 }, () => logEnd()));
  const locks = await sql`SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND datname = current_database() AND 'production.event'::regclass IN (classid, objid)`;
  expect([...locks]).toEqual([]);
});

test("another program's open transaction delays no reader, whatever it has read, changed or locked", async () => {
  const follower = createFollower();
  await (await hold("one")).commit();
  const stranger = await sql.reserve();
  await stranger
    .unsafe(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM production.event;
      UPDATE production.event SET traceparent = '' WHERE id = 1;
      SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock_shared(0, 0), nextval('production.event_id_seq')`)
    .simple();
  await (await hold("two")).commit();
  expect(await follower.next()).toEqual(["one", "two"]);
  await stranger.unsafe("ROLLBACK");
  stranger.release();
});

test("writers that wait for another program's LOCK TABLE delay no reader, and their events are not missed", async () => {
  const follower = createFollower();
  await (await hold("before")).commit();
  const stranger = await sql.reserve();
  await stranger.unsafe("BEGIN; LOCK TABLE production.event IN SHARE MODE").simple();
  const waiting = hold("waited").then(({ commit }) => commit());
  await until(
    async () =>
      (
        await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
      ).length > 0,
  );
  expect(await follower.next()).toEqual(["before"]);
  await stranger.unsafe("COMMIT");
  stranger.release();
  await waiting;
  expect(await follower.next()).toEqual(["before", "waited"]);
});

test("a reader continues once the server has ended the transaction of a writer that is frozen", async () => {
  const follower = createFollower();
  const frozen = await hold("frozen");
  await (await hold("next")).commit();
  expect(await follower.next()).toEqual([]);
  const ended = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`;
  expect(ended).toHaveLength(1);
  await until(async () => (await follower.next()).length > 0);
  expect(await follower.next()).toEqual(["next"]);
  await frozen.fail();
});

test.each([
  ["2^32", 2n ** 32n],
  ["the last identifier that a number holds", 2n ** 53n - 10n],
])("identifiers are compared in full around %s", async (_, near) => {
  await sql`SELECT setval('production.event_id_seq', ${near - 2n})`;
  await (await hold("before")).commit();
  const open = await hold("open");
  for (const name of ["after", "and after"]) await (await hold(name)).commit();
  expect(await logEnd()).toBe(near - 1n);
  await open.commit();
  expect(await logEnd()).toBe(near + 2n);
});

test("a sequence that a failover has raised delays no reader of the events before it", async () => {
  await (await hold("before")).commit();
  await sql`SELECT setval('production.event_id_seq', last_value + 1000000000) FROM production.event_id_seq`;
  const open = await hold("after");
  expect(await createFollower().next()).toEqual(["before"]);
  await open.commit();
  expect(await createFollower().next()).toEqual(["before", "after"]);
});

test("a webhook's delay includes only events whose order is final", async () => {
  await sql`INSERT INTO production.webhook (url, types, status, created_at, secret, last_event_id)
    VALUES ('https://example.com', '[]', 'enabled', 0, 's', 0)`;
  const early = await hold("early");
  await (await hold("late")).commit();
  const look = async () => singleRow(await first().read(selectTargets, [0]));
  expect(await look()).toMatchObject({ isBehind: false, end: 0n });
  await early.commit();
  expect(await look()).toMatchObject({ isBehind: true, end: 2n });
});

test("commits are announced together, even after failed ones; commits without an event are not announced", async () => {
  const announced: (string | undefined)[] = [];
  const feed = await first().subscribe("events", (schema) => void announced.push(schema));
  announced.length = 0;
  await first().write(async () => {});
  await (await hold("fails")).fail();
  await until(() => announced.length > 0);
  await Promise.all(Array.from({ length: 200 }, () => add(first())));
  await until(() => announced.length > 1);
  expect(new Set(announced)).toEqual(new Set(["production"]));
  expect(announced.length).toBeLessThan(100);
  await feed.close();
});
