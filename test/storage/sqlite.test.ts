import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, fstatSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Int64, toInt64 } from "exact-json/int64";
import fc from "fast-check";
import type { Pet } from "../../src/pets/contract.ts";
import { PET_COLUMNS, selectPet } from "../../src/pets/store.ts";
import { findMigrations } from "../../src/storage/migrations.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { exactRow } from "../../src/storage/row.ts";
import { LOG_BYTES_KEPT } from "../../src/storage/sqlite/connection.ts";
import { openSqlite } from "../../src/storage/sqlite/database.ts";
import { type Row, type Statement, statement } from "../../src/storage/statement.ts";
import { newPet } from "../new-pet.ts";
import { describeStorage } from "./behaviour.ts";

const freshDir = () => mkdtempSync(join(tmpdir(), "petstore-storage-"));

const freshFile = () => join(freshDir(), "x.sqlite");
const openStore = (file: string) => openSqlite({ file, migrations: findMigrations("sqlite", "store") });
const insert: Statement<[name: string]> = statement("INSERT INTO category (name, created_at) VALUES ($1, 0)");

describeStorage("SQLite", 40, async () => {
  const dataDir = freshDir();
  const reopen = () => openDatabase("production", { dataDir });
  return { database: await reopen(), reopen };
});

describe("the SQLite engine", () => {
  test("many concurrent writes share a few commits", async () => {
    const batches: number[] = [];
    const database = await openSqlite({
      file: freshFile(),
      migrations: findMigrations("sqlite", "store"),
      onCommit: (size) => batches.push(size),
    });
    await Promise.all(Array.from({ length: 300 }, () => database.run(insert, ["x"])));
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(300);
    expect(batches.length).toBeLessThan(5);
    await database.close();
  });

  test("integers of any size are returned digit for digit, even once a column's later rows exceed 2^53", async () => {
    const database = await openStore(freshFile());
    const all: Statement<[below: Int64], Pet> = statement(
      `SELECT ${PET_COLUMNS} FROM pet WHERE id < $1 ORDER BY id DESC`,
      selectPet.decode,
    );
    /**
     * A second statement with the same SQL text. When the first statement starts to return integers as `bigint`, the second one
     * must not.
     */
    const sharing = { ...all };
    const raw = { ...all, decode: exactRow };
    const int64 = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -100n, max: 100n }),
      ...[2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)].map((edge) =>
        fc.bigInt({ min: 0n, max: 3n }).map((step) => (edge > 0n ? edge - step : edge + step)),
      ),
    );
    const added: Pet[] = [];
    const holds = async () => {
      const newestFirst = added.toReversed();
      const below = 2n ** 60n;
      expect(await database.read(all, [below])).toEqual(newestFirst);
      expect(await database.read(sharing, [below])).toEqual(newestFirst);
      const rows = await database.read(raw, [below]);
      expect(rows.map((row) => BigInt(Number(row["id"])))).toEqual(newestFirst.map(({ id }) => BigInt(id)));
      expect(rows.map((row) => toInt64(BigInt(row["category_id"] as bigint)))).toEqual(
        newestFirst.map(({ categoryId }) => categoryId),
      );
    };
    const add = async (categoryId: Int64) => {
      const [pet] = await database.create(newPet("x", categoryId));
      expect(pet).toEqual({
        id: added.length + 1,
        name: "x",
        categoryId,
        status: undefined,
        externalId: undefined,
      });
      if (pet !== undefined) added.push(pet);
    };
    for (const small of [1, 2, 3]) await add(small);
    await holds();
    await fc.assert(
      fc.asyncProperty(fc.array(int64, { minLength: 1, maxLength: 5 }), async (numbers) => {
        for (const number of numbers) await add(toInt64(number));
        await holds();
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(added.some(({ categoryId }) => typeof categoryId === "bigint")).toBe(true);
    await database.close();
  });

  test("a row whose idempotency record fails is not stored, and the other rows of the commit are stored once for each record", async () => {
    const database = await openStore(freshFile());
    const create = (key: string, fingerprint: unknown = new Uint8Array(32)) =>
      database.create(newPet(key), {
        record: {
          name: { accountId: 1, environment: "production", path: "/v1/pets", key },
          fingerprint: fingerprint as Uint8Array,
          outcome: 201,
          now: 2,
          oldest: 1,
        },
      });
    const made = await Promise.allSettled([create("a"), create("refused", "no bytes"), create("b")]);
    expect(made.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await create("a")).toEqual([]);
    const names = { sql: "SELECT name FROM pet ORDER BY id", decode: (row: Row) => String(row["name"]) };
    expect(await database.read(names, [])).toEqual(["a", "b"]);
    await database.close();
  });

  test("a commit is flushed to disk before it returns: synchronous=FULL, in a write-ahead log", async () => {
    const database = await openDatabase("production", { dataDir: freshDir() });
    const pragma = (name: string) =>
      database.write((query) => query({ sql: `PRAGMA ${name}`, decode: (row) => String(row[name]) }, []));
    expect([...(await pragma("synchronous")), ...(await pragma("journal_mode"))]).toEqual(["2", "wal"]);
    await database.close();
  });

  test("a commit that fails has acknowledged nothing of what it carried", async () => {
    const sql =
      "CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT; CREATE TABLE b (x INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED) STRICT";
    const database = await openSqlite({
      file: freshFile(),
      migrations: [{ number: 1, name: "deferred", sql }],
    });
    const write = (sql: string) => database.write((query) => query({ sql, decode: () => undefined }, []));
    // The second insert violates a deferred constraint, so the commit fails, as it would on a full disk.
    const answers = await Promise.allSettled([
      write("INSERT INTO a VALUES (1)"),
      write("INSERT INTO b VALUES (2)"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await write("INSERT INTO a VALUES (2)");
    const kept = await database.read({ sql: "SELECT x FROM a", decode: (row) => Number(row["x"]) }, []);
    expect(kept).toEqual([2]);
    await database.close();
  });

  test("every table is STRICT, and only its owner can open the data folder", async () => {
    const dataDir = join(freshDir(), "new");
    for (const name of ["accounts", "production", "messages"] as const) {
      const database = await openDatabase(name, { dataDir });
      const tables = await database.read(
        {
          sql: "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
          decode: (row) => ({ name: String(row["name"]), strict: Number(row["strict"]) }),
        },
        [],
      );
      expect(tables.length).toBeGreaterThan(2);
      for (const table of tables) expect(table).toEqual({ name: table.name, strict: 1 });
      await database.close();
    }
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test("a migration that fails leaves the database as it was", async () => {
    const file = freshFile();
    const good = { number: 1, name: "good", sql: "CREATE TABLE a (x INTEGER) STRICT" };
    const bad = {
      number: 2,
      name: "bad",
      sql: "CREATE TABLE b (x INTEGER) STRICT; CREATE TABLE a (x INTEGER) STRICT",
    };
    await expect(openSqlite({ file, migrations: [good, bad] })).rejects.toThrow("already exists");
    const database = await openSqlite({ file, migrations: [good] });
    const tables = await database.read(
      {
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
        decode: (row) => String(row["name"]),
      },
      [],
    );
    expect(tables).toEqual(["a", "migration"]);
    await database.close();
  });

  test("our locks hold while another process only reads the store, and it changes nothing", async () => {
    const file = freshFile();
    const database = await openStore(file);
    await database.run(insert, ["x"]);
    const version = database.versions.current();
    const look = `new (require("bun:sqlite").Database)(${JSON.stringify(file)}).query("SELECT * FROM category").all()`;
    expect(Bun.spawnSync([process.execPath, "--eval", look]).exitCode).toBe(0);
    expect(database.versions.current()).toBe(version);
    await database.close();
  });

  test("constant reading does not prevent the log from being written back", async () => {
    const file = freshFile();
    const database = await openStore(file);
    const select = { sql: "SELECT id FROM category ORDER BY id DESC LIMIT 1", decode: () => undefined };
    for (let round = 0; round < 400; round++) {
      await Promise.all([database.run(insert, ["x".repeat(40_000)]), database.read(select, [])]);
    }
    // SQLite checkpoints its write-ahead log after 4 MB.
    expect(statSync(`${file}-wal`).size).toBeLessThan(8_000_000);
    await database.close();
  });

  test("a log that grew while another program was reading is truncated once that program has ended", async () => {
    const file = freshFile();
    const database = await openStore(file);
    const write = async (count: number) => {
      for (let round = 0; round < count; round++) await database.run(insert, ["x".repeat(1_000_000)]);
    };
    const other = new Database(file, { readonly: true });
    other.run("BEGIN");
    other.query("SELECT count(*) FROM category").get();
    await write(20);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(LOG_BYTES_KEPT);
    other.close();
    await write(3);
    expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(LOG_BYTES_KEPT);
    await database.close();
  });

  test("a closed database leaves no descriptor of its index open", async () => {
    const file = freshFile();
    const database = await openStore(file);
    const index = statSync(`${file}-shm`).ino;
    await database.close();
    expect(existsSync(`${file}-shm`)).toBeFalse();
    for (let descriptor = 3; descriptor < 64; descriptor += 1) expect(inode(descriptor)).not.toBe(index);
  });

  test("the start waits for a new file that another process has locked in order to create a database in it", async () => {
    const file = freshFile();
    const other = new Database(file);
    other.run("BEGIN EXCLUSIVE");
    const opening = openStore(file);
    other.run("ROLLBACK");
    other.close();
    await (await opening).close();
  });

  test("a database of another program is refused", async () => {
    const file = freshFile();
    const [{ number = 0 } = {}] = findMigrations("sqlite", "store");
    const theirs = { number, name: "theirs", sql: "CREATE TABLE a (x INTEGER) STRICT" };
    await (await openSqlite({ file, migrations: [theirs] })).close();
    await expect(openStore(file)).rejects.toThrow("This schema or database belongs to another program.");
  });
});

function inode(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return undefined;
  }
}
