import { describe, expect, test } from "bun:test";
import type { Config } from "../src/config.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

describe("of a store with 25,000 animals", () => {
  onEachEngine((store) => {
    test("a page ends once 20,000 were looked at, nothing is skipped, and next leads to the others", async () => {
      const app = await createTestApp({}, await store());
      await fill(app.config);
      const { token: key } = await app.makeKey();
      const pages = await app.readPages<{ id: number }>(key, "/v1/pets?name=rare+one");
      expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([[24_000], [10]]);
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
