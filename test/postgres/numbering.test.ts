import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { startNumbering } from "../../src/events/number-events.ts";
import { appendEvent } from "../../src/events/store.ts";
import { NUMBERED_MAX } from "../../src/limits.ts";
import { insertPet } from "../../src/pets/store.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";

// Events are numbered after their commits: no reader misses one, even if other processes commit or die concurrently.

const EVENT = ["pet.created", 0, "operator", "", "operator", "", "{}", null, null] as const;

let databaseUrl: string;
let sql: SQL;
let failures: unknown[];
const processes: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  databaseUrl = await freshDatabaseUrl();
  failures = [];
  await (await open()).close();
  sql = new SQL(databaseUrl, { max: 4, bigint: true });
});
afterEach(async () => {
  for (const { close } of processes.splice(0).reverse()) await close();
  await sql.close();
});

const open = () => openDatabase("production", { dataDir: "", databaseUrl });

/** Starts the part of a serving process that numbers events. */
async function startProcess(): Promise<Database> {
  const database = await open();
  processes.push(database);
  processes.push(await startNumbering(database, "production", (error) => failures.push(error)));
  return database;
}

const add = (database: Database, name: string) => database.run(insertPet, [name, 1, null, ...EVENT]);
const addMany = (database: Database, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => add(database, `${index}`)));
const append = (name: string) =>
  sql`INSERT INTO production.event_queue (type, created_at, actor_kind, actor_id, actor_name, request_id, data)
    VALUES ('pet.deleted', 0, 'operator', '', '', ${name}, '{}')`;

interface Numbered {
  readonly id: bigint;
  readonly name: string;
}
const numbered = (): Promise<Numbered[]> =>
  sql`SELECT id, request_id AS name FROM production.event ORDER BY id`.then((rows) =>
    rows.map(({ id, name }: Numbered) => ({ id: BigInt(id), name })),
  );
async function untilNumbered(count: number): Promise<Numbered[]> {
  let events: Numbered[] = [];
  await until(async () => {
    events = await numbered();
    return events.length === count;
  });
  return events;
}
const firstIds = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1));

test("events of several processes, more than a batch of them, are numbered from 1, each once", async () => {
  const all = await Promise.all([startProcess(), startProcess(), startProcess()]);
  const count = NUMBERED_MAX;
  await Promise.all(all.map((database) => addMany(database, count)));
  const events = await untilNumbered(all.length * count);
  expect(events.map(({ id }) => id)).toEqual(firstIds(all.length * count));
  const pets = await sql`SELECT pet_id FROM production.event ORDER BY pet_id`;
  expect(pets.map(({ pet_id }: { pet_id: number }) => BigInt(pet_id))).toEqual(firstIds(all.length * count));
  expect(await sql`SELECT FROM production.event_queue`).toHaveLength(0);
  expect(failures).toEqual([]);
});

test("of two transactions held open crosswise, a reader that follows misses none", async () => {
  const read: string[] = [];
  let last = 0n;
  const follow = async (): Promise<string[]> => {
    for (const { id, name } of await numbered()) if (id > last) [last] = [id, read.push(name)];
    return read;
  };
  const database = await startProcess();
  const early = await hold(database, "early");
  const late = await hold(database, "late");
  await late.commit();
  await untilNumbered(1);
  expect(await follow()).toEqual(["late"]);
  await early.commit();
  await untilNumbered(2);
  expect(await follow()).toEqual(["late", "early"]);
});

/** Appends an event in a transaction that stays open until `commit`. */
async function hold(database: Database, name: string) {
  const appended = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const written = database.write(async (query) => {
    await query(appendEvent, [1, null, "pet.updated", 0, "operator", "", "", name, "{}", null, null]);
    appended.resolve();
    await end.promise;
  });
  await appended.promise;
  return {
    commit() {
      end.resolve();
      return written;
    },
  };
}

test("a numberer whose connection is ended in the middle goes on without a gap or a double", async () => {
  const database = await startProcess();
  await addMany(database, 10);
  await untilNumbered(10);
  const holder = await sql.reserve();
  await holder.unsafe("BEGIN; LOCK TABLE production.event IN SHARE MODE").simple();
  await addMany(database, 10);
  await until(async () => (await endBlocked(false)) > 0);
  const other = await open();
  expect(await other.numbererOf?.(appendEvent, () => {})()).toBe("locked");
  await other.close();
  await until(async () => (await endBlocked(true)) > 0);
  await holder.unsafe("COMMIT");
  holder.release();
  expect((await untilNumbered(20)).map(({ id }) => id)).toEqual(firstIds(20));
  await until(() => failures.length > 0);
});

/** Counts the numberers that wait for the table; ends their connections if `isEnding`. */
async function endBlocked(isEnding: boolean): Promise<number> {
  const blocked = await sql`
    SELECT ${isEnding} AND pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO production.event (%'`;
  return blocked.length;
}

test("numbers go on above a sequence that was raised, as it is on the timeline of a new primary, and it keeps up with them", async () => {
  const database = await startProcess();
  await addMany(database, 5);
  await untilNumbered(5);
  await sql`SELECT setval('production.event_id_seq', last_value + 1000) FROM production.event_id_seq`;
  await add(database, "after");
  const [, , , , , after] = await untilNumbered(6);
  await add(database, "and the next");
  await untilNumbered(7);
  expect((after?.id ?? 0n) > 1000n).toBe(true);
  expect(await database.wholeTables.nextId("event")).toBe((after?.id ?? 0n) + 1n);
});

test("events of a process that died are also numbered by one at work, without being asked; an empty look announces nothing", async () => {
  const database = await startProcess();
  const announced: (string | undefined)[] = [];
  const feed = await database.subscribe("events", (schema) => void announced.push(schema));
  await add(database, "at work");
  await until(() => announced.includes("production"));
  announced.length = 0;
  await database.write(async () => {});
  await append("of one that died");
  const [, event] = await untilNumbered(2);
  expect(event?.name).toBe("of one that died");
  await until(() => announced.includes("production"));
  expect(announced).toEqual(["production"]);
  await feed.close();
});
