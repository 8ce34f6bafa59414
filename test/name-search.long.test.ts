import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SCAN_ROWS_MAX } from "../src/contract/scan.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";

describe("of a store with 25,000 animals", () => {
  onEachEngine((store) => {
    let app: TestApp;
    let key: string;
    beforeAll(async () => {
      app = await createTestApp({}, await store());
      const database = await openDatabase("production", app.config);
      await fill(database);
      await database.close();
      key = (await app.makeKey()).token;
    });
    afterAll(() => app.close());

    async function idsOf(query: string) {
      const pages = await app.readPages<{ id: number }>(key, `/v1/pets?${query}`);
      return pages.map(({ items }) => items.map(({ id }) => id));
    }

    test("a page ends once 20,000 were looked at, nothing is skipped, and next leads to the others", async () => {
      expect(await idsOf("name=rare+one")).toEqual([[24_000], [10]]);
      expect(await idsOf("name=rare+old")).toEqual([[], [10]]);
      // 20,001 of the 25,000 animals have a number above 4,999.
      expect(await idsOf("name=edge")).toEqual([[5_001], [5_000]]);
    });

    test("those that do not meet the other filters are not looked at, and 20,000 take one request", async () => {
      expect(await idsOf("name=rare+old&categoryId=2")).toEqual([[10]]);
      expect(await idsOf("name=none&categoryId=1")).toEqual([[]]);
    });

    test("animals that come and go between two requests are neither shown twice nor hide another one", async () => {
      const send = (request: string, body?: object) =>
        app.send("production", request, { key, ...(body && { body: JSON.stringify(body) }) });
      const pages: number[][] = [];
      for (let next: string | undefined = "/v1/pets?name=edge"; next !== undefined; ) {
        const response = await send(`GET ${next}`);
        pages.push(((await response.json()) as { id: number }[]).map(({ id }) => id));
        next = /\/\/[^/]+([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
        if (pages.length > 1) continue;
        expect((await send("POST /v1/pets", { name: "Edge", categoryId: 3 })).status).toBe(201);
        expect((await send("DELETE /v1/pets/5001")).status).toBe(204);
      }
      expect(pages).toEqual([[5_001], [5_000]]);
    });

    test("other requests go first after every 250", async () => {
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
