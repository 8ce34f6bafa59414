import { describe, expect, test } from "bun:test";
import type { Config } from "../src/config.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { readMetrics } from "../src/telemetry/metrics/metrics.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";
import { until } from "./until.ts";

describe("of a store with 25,000 animals, of which none is indexed,", () => {
  onEachEngine((store) => {
    test("a page ends at 20,000, nothing is skipped, and requests have the others indexed", async () => {
      const app = await createTestApp({}, await store());
      await fill(app.config);
      const { token: key } = await app.makeKey();
      const search = async () => {
        const pages: number[][] = [];
        for (let query: string | undefined = "name=rare+one"; query !== undefined; ) {
          const response = await app.send("production", `GET /v1/pets?${query}`, { key });
          pages.push(JSON.parse(await response.text()).map(({ id }: { id: number }) => id));
          query = /\?([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
        }
        expect(pages.flat()).toEqual([24_000, 10]);
        return pages.length;
      };
      expect(await search()).toBeLessThanOrEqual(2);
      const waiting = async () => {
        const { text } = await readMetrics(app.metrics);
        return /\npetstore_search_unindexed_pets\{environment="production"\} (\d+)\n/.exec(text)?.[1];
      };
      await until(async () => {
        await app.clock.advance(60_000);
        return (await waiting()) === "0";
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
