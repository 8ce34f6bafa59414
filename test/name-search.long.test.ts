import { describe, expect, test } from "bun:test";
import type { Config } from "../src/config.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";
import { until } from "./until.ts";

describe("of a store with 25,000 animals, of which none is indexed,", () => {
  onEachEngine((store) => {
    test("a page ends at 20,000, nothing is skipped, and requests have the others indexed", async () => {
      const app = await createTestApp({}, await store());
      await fill(app.config);
      const { token: key } = await app.makeKey();
      const search = async () => {
        const pages = await app.readPages<{ id: number }>(key, "/v1/pets?name=rare+one");
        expect(pages.flatMap(({ items }) => items).map(({ id }) => id)).toEqual([24_000, 10]);
        return pages.length;
      };
      expect(await search()).toBeLessThanOrEqual(2);
      const unindexed = 'petstore_search_unindexed_pets{environment="production"}';
      await until(async () => {
        await app.clock.advance(60_000);
        return (await app.reading(unindexed)) === 0;
      });
      expect(await search()).toBe(1);
      await app.close();
    }, 180_000);
  });
});

async function fill(config: Config): Promise<void> {
  const database = await openDatabase("production", config);
  const sql = `INSERT INTO pet (name, category_id) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    SELECT 'One' || i, 1 FROM n`;
  for (let count = 0; count < 5; count++) await database.run({ sql, decode: noRows }, []);
  const rare = "UPDATE pet SET name = 'Rare One' WHERE id IN (10, 24000)";
  await database.run({ sql: rare, decode: noRows }, []);
  await database.close();
}
