import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openChangeFeed, openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import { statement } from "../../../src/storage/statement.ts";
import { until } from "../../until.ts";
import { type Cluster, startCluster } from "./cluster.ts";

// These tests promote a PostgreSQL standby while the old primary still runs.

const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
const selectPets = statement("SELECT id FROM pet ORDER BY id", numberColumn("id"));
const GAP = 1_000_000_000;

let cluster: Cluster;
let database: Database;
const open = (databaseUrl: string) => openDatabase("production", { dataDir: "", databaseUrl });

beforeAll(async () => {
  cluster = await startCluster();
  database = await open(cluster.hosts);
});
afterAll(async () => {
  await database.close();
  await cluster.remove();
});

/** Adds an animal. Retries until the request succeeds. */
async function add(): Promise<number> {
  for (;;) {
    const rows = await database.run(insertPet, { name: "x", categoryId: 1 }).catch(() => undefined);
    if (rows?.[0] !== undefined) return rows[0];
  }
}

describe("a new primary", () => {
  test("is found among the servers of the address, and the old one is no longer used when it resumes", async () => {
    expect(await add()).toBe(1);
    let missed = 0;
    const feed = await database.subscribe("keys", (payload) => {
      if (payload === undefined) missed++;
    });
    const old = cluster.primary();
    await old.freeze();
    await cluster.promote();
    // The old primary assigned some identifiers that were lost with it. The new primary does not assign them again.
    const id = await add();
    expect(id).toBeGreaterThan(GAP);
    expect(id).toBeLessThan(2 * GAP);
    await old.thaw();
    expect(await Promise.all(Array.from({ length: 8 }, () => database.read(selectPets, [])))).toEqual(
      Array.from({ length: 8 }, () => [1, id]),
    );
    // The failover has emptied the service's caches. They are filled again once change notifications arrive.
    await until(() => feed.isHealthy());
    expect(missed).toBeGreaterThan(1);
    await feed.close();
    expect(await add()).toBe(id + 1);
    // Even when the new primary is down, the service does not return to the old one.
    await cluster.primary().stopAtOnce();
    await expect(database.read(selectPets, [])).rejects.toThrow("cannot be reached");
    await cluster.primary().start();
    expect(await database.read(selectPets, [])).toHaveLength(3);
  });

  test("skips identifiers only once, however many processes notice it", async () => {
    const [next = 0] = await database.read(
      statement("SELECT last_value FROM pet_id_seq", numberColumn("last_value")),
      [],
    );
    const others = await Promise.all([open(cluster.hosts), open(cluster.address)]);
    for (const other of others)
      expect((await other.run(insertPet, { name: "x", categoryId: 1 }))[0]).toBeLessThan(next + 10);
    for (const other of others) await other.close();
  });

  test("is needed to start: the address of a standby is refused with a clear message", async () => {
    await cluster.rejoin();
    await expect(open(cluster.standby().url)).rejects.toThrow(
      /^The database at 127.0.0.1:\d+ cannot be used: .* is a standby\.$/,
    );
  });

  test("makes a listener's changes count as missed if they come from an older timeline than another process has seen", async () => {
    // The service has not recorded a primary for this database URL yet, because the URL is new.
    const databaseUrl = `${cluster.hosts}&sslmode=disable`;
    const source = openChangeFeed({ databaseUrl });
    if (source === undefined) throw new Error("There is no source of changes.");
    const other = await open(databaseUrl);
    let missed = 0;
    const feed = await source.subscribe("keys", (payload) => {
      if (payload === undefined) missed++;
    });
    await until(feed.isHealthy);
    await cluster.promote();
    // The old primary is still running, and answers the service's heartbeats.
    expect(source.receivedUpTo(2)).toBeGreaterThan(0);
    expect(source.receivedUpTo(3)).toBe(Number.NEGATIVE_INFINITY);
    await until(() => source.receivedUpTo(3) > 0);
    expect(missed).toBe(2);
    await other.close();
    await source.close();
  });
});
