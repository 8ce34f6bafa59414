import { beforeAll, describe, expect, test } from "bun:test";
import { SCAN_ROWS_MAX } from "../src/contract/scan.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { onEachEngine } from "./test-app.ts";
import { useApp } from "./use-app.ts";
import { nextOf, type Reply } from "./wire/send.ts";

describe("of a store with 25,000 animals", () => {
  onEachEngine((store) => {
    const shop = useApp(store);
    beforeAll(async () => {
      const database = await openDatabase("production", shop.app.config);
      await fill(database);
      await database.close();
    });

    async function idsOf(query: string) {
      const pages = await shop.app.readPages<{ id: number }>(shop.key, `/v1/pets?${query}`);
      return pages.map(({ items }) => items.map(({ id }) => id));
    }

    test("a page ends once 20,000 animals were examined, nothing is skipped, and next leads to the rest", async () => {
      expect(await idsOf("name=rare+one")).toEqual([[24_000], [10]]);
      expect(await idsOf("name=rare+old")).toEqual([[], [10]]);
      // The first request searches the newest 20,000 of the 25,000 animals. The animal 5,001 is among them, and the animal 5,000 is
      // not.
      expect(await idsOf("name=edge")).toEqual([[5_001], [5_000]]);
    });

    test("animals that do not match the other filters are not examined, and one request examines 20,000", async () => {
      expect(await idsOf("name=rare+old&categoryId=2")).toEqual([[10]]);
      expect(await idsOf("name=none&categoryId=1")).toEqual([[]]);
    });

    test("animals that come and go between two requests are neither shown twice nor hide another one", async () => {
      const pages: number[][] = [];
      for (let next: string | undefined = "/pets?name=edge"; next !== undefined; ) {
        const page: Reply = await shop.get(next);
        pages.push(page.json.map(({ id }: { id: number }) => id));
        next = nextOf(page);
        if (pages.length > 1) continue;
        expect((await shop.post("/pets", { name: "Edge", categoryId: 3 })).status).toBe(201);
        expect((await shop.send("DELETE /pets/5001")).status).toBe(204);
      }
      expect(pages).toEqual([[5_001], [5_000]]);
    });

    test("other requests run after every 250 animals", async () => {
      let isOver = false;
      let turns = 0;
      const search = idsOf("name=none&status=sold").finally(() => {
        isOver = true;
      });
      for (; !isOver; turns++) await new Promise(setImmediate);
      expect(await search).toEqual([[]]);
      expect(turns).toBeGreaterThanOrEqual(15_000 / SCAN_ROWS_MAX);
    });
  });
});

async function fill(database: Database): Promise<void> {
  const run = (sql: string) => database.run({ sql, decode: noRows }, []);
  for (let count = 0; count < 5; count++)
    await run(`INSERT INTO pet (name, category_id, status)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT 'One' || i, CASE WHEN ${count} = 0 THEN 2 ELSE 1 END, CASE WHEN ${count} < 3 THEN 'sold' END FROM n`);
  await run("UPDATE pet SET name = 'Rare One' WHERE id = 24000");
  await run("UPDATE pet SET name = 'Rare Old One' WHERE id = 10");
  await run("UPDATE pet SET name = 'Edge' WHERE id IN (5000, 5001)");
}
