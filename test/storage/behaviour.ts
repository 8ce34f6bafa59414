import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { int64Column, textColumn } from "../../src/storage/row.ts";
import { noRows, type Statement } from "../../src/storage/statement.ts";

// Behaviour that the rest of petstore expects from a database. These tests run on SQLite and on PostgreSQL.

/** A database that a test can close and open again. */
export interface Opened {
  readonly database: Database;
  /** Opens the same database again, as another process would. */
  reopen(): Promise<Database>;
}

const insert: Statement<[name: string, categoryId: Int64, status: string | null], number | bigint> = {
  sql: "INSERT INTO pet (name, category_id, status) VALUES ($1, $2, $3) RETURNING id",
  decode: int64Column("id"),
};
const names: Statement<[], string> = {
  sql: "SELECT name FROM pet ORDER BY id",
  decode: textColumn("name"),
};
const categories: Statement<[], number | bigint> = {
  sql: "SELECT category_id FROM pet ORDER BY id",
  decode: int64Column("category_id"),
};
const swapped: Statement<[name: string, categoryId: number], string> = {
  sql: "SELECT name FROM pet WHERE category_id = $2 AND name = $1 AND name = $1",
  decode: textColumn("name"),
};
const broken: Statement<[]> = { sql: "SELECT nothing FROM nowhere", decode: noRows };
const removeLast: Statement<[]> = {
  sql: "DELETE FROM pet WHERE id = (SELECT max(id) FROM pet)",
  decode: noRows,
};

/**
 * Registers all of these tests for one database engine, SQLite or PostgreSQL.
 *
 * @param atOnce the number of writes that the tests start at the same time. With more than the engine runs at the same time, the
 * others would wait for at most 2 s, and a busy machine may take longer.
 */
export function describeStorage(engine: string, atOnce: number, open: () => Promise<Opened>): void {
  describe(`storage on ${engine}`, () => {
    let opened: Opened;
    let database: Database;
    beforeEach(async () => {
      opened = await open();
      database = opened.database;
    });
    afterEach(() => database.close());

    const add = (name: string, categoryId: number | bigint = 1, status: string | null = null) =>
      database.write((query) => query(insert, [name, categoryId, status]));
    /** Starts `count` writes, as many at the same time as the engine runs. */
    async function writeAtOnce<Result>(count: number, write: (number: number) => Promise<Result>) {
      const results: PromiseSettledResult<Result>[] = [];
      while (results.length < count) {
        const numbers = Array.from(
          { length: Math.min(atOnce, count - results.length) },
          (_, n) => results.length + n,
        );
        results.push(...(await Promise.allSettled(numbers.map(write))));
      }
      return results;
    }

    test("a write is still stored after the data was closed and reopened", async () => {
      await add("a");
      await database.close();
      database = await opened.reopen();
      expect(await database.read(names, [])).toEqual(["a"]);
    });

    test("a write of another process is visible at the next read", async () => {
      const other = await opened.reopen();
      await other.write((query) => query(insert, ["theirs", 1, null]));
      expect(await database.read(names, [])).toEqual(["theirs"]);
      await other.close();
    });

    test("the version changes with each acknowledged write of any process", async () => {
      const other = await opened.reopen();
      const seen = new Set([await database.versions.current()]);
      for (let round = 0; round < 10; round++) {
        for (const writer of [database, other]) {
          await writer.run(insert, ["x", 1, null]);
          seen.add(await database.versions.current());
        }
      }
      expect(seen.size).toBe(21);
      await other.close();
    });

    test("work that throws leaves nothing behind, and its error is passed on", async () => {
      const failure = database.write(async (query) => {
        await query(insert, ["half", 1, null]);
        throw new ServiceError("not_found", "on purpose");
      });
      await expect(failure).rejects.toThrow("on purpose");
      expect(await database.read(names, [])).toEqual([]);
    });

    test("one failure among many concurrent writes does not affect the others", async () => {
      const results = await writeAtOnce(40, (number) =>
        database.write(async (query) => {
          const [id] = await query(insert, [String(number), 1, null]);
          if (number % 4 === 0) throw new Error("on purpose");
          return id;
        }),
      );
      const kept = results.filter((result) => result.status === "fulfilled");
      expect(kept).toHaveLength(30);
      expect(await database.read(names, [])).toHaveLength(30);
      expect(new Set(kept.map((result) => result.value)).size).toBe(30);
    });

    test("a statement that the engine refuses undoes only its own work", async () => {
      const writes = [
        add("before"),
        database.write(async (query) => {
          await query(insert, ["undone", 1, null]);
          await query(insert, ["undone", 1, "not a status"]);
        }),
        add("after"),
      ];
      const results = await Promise.allSettled(writes);
      expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      // The two writes run at the same time, so their order is not guaranteed.
      expect([...(await database.read(names, []))].sort()).toEqual(["after", "before"]);
    });

    test("work sees its own changes, and those acknowledged before it", async () => {
      await add("first");
      const seen = await database.write(async (query) => {
        await query(insert, ["second", 1, null]);
        return query(names, []);
      });
      expect(seen).toEqual(["first", "second"]);
    });

    test("a read, a check and a write in the same work are atomic: a counter loses nothing", async () => {
      const step: Statement<[categoryId: number]> = {
        sql: "UPDATE pet SET category_id = $1",
        decode: noRows,
      };
      await add("counter", 0);
      const increment = () =>
        database.write(async (query) => {
          const [value = 0] = await query(categories, []);
          await query(step, [Number(value) + 1]);
        });
      const results = await writeAtOnce(200, increment);
      expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
      expect(await database.read(categories, [])).toEqual([200]);
    });

    test("identifiers grow and are never used again", async () => {
      expect(await add("a")).toEqual([1]);
      await add("b");
      await database.write((query) => query(removeLast, []));
      await database.close();
      database = await opened.reopen();
      const [next = 0] = await add("c");
      expect(Number(next)).toBeGreaterThan(2);
    });

    test("64-bit integers and any text are returned exactly", async () => {
      const values = [0, -1, 9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)];
      for (const value of values) await add("n", value);
      expect(await database.read(categories, [])).toEqual(values);
      await add("é é 🐈 \u0001 ' \" \\ \uFFFF", 7);
      expect((await database.read(names, [])).at(-1)).toBe("é é 🐈 \u0001 ' \" \\ \uFFFF");
    });

    test("values are bound by number, in any order in the text", async () => {
      await add("x", 5);
      expect(await database.read(swapped, ["x", 5])).toEqual(["x"]);
    });

    test("a read may not write", async () => {
      await expect((async () => database.read(insert, ["sneaky", 1, null]))()).rejects.toThrow();
      expect(await database.read(names, [])).toEqual([]);
    });

    test("a faulty statement fails, and the store keeps working", async () => {
      await expect((async () => database.read(broken, []))()).rejects.toThrow();
      await expect(database.write((query) => query(broken, []))).rejects.toThrow();
      expect(await add("fine")).toHaveLength(1);
    });

    test("a query kept beyond its work is refused", async () => {
      let kept: Parameters<Parameters<Database["write"]>[0]>[0] | undefined;
      await database.write(async (query) => {
        kept = query;
      });
      expect(() => kept?.(names, [])).toThrow("after the transaction had ended");
    });

    test("closing waits for running writes", async () => {
      const writes = Array.from({ length: atOnce }, (_, number) => add(String(number)));
      await database.close();
      expect(await Promise.all(writes)).toHaveLength(atOnce);
      database = await opened.reopen();
      expect(await database.read(names, [])).toHaveLength(atOnce);
    });
  });
}
