import { expect, test } from "bun:test";
import { watchQueries } from "./seen-queries.ts";
import { createTestApp } from "./test-app.ts";

test("after a page that ended early, rows are read a few at a time, until a page of short ones", async () => {
  const queries = watchQueries("production");
  const app = await createTestApp({}, { dataDir: queries.dataDir });
  try {
    const { token: key } = await app.makeKey();
    const add = async (name: string) => {
      const body = JSON.stringify({ name, categoryId: 1 });
      expect((await app.send("production", "POST /v1/pets", { key, body })).status).toBe(201);
    };
    /** Reads a page; returns the row limit of each of its statements, and its number of items. */
    const read = async (query = "") => {
      queries.length = 0;
      const response = await app.send("production", `GET /v1/pets?limit=100${query}`, { key });
      const page = queries.filter(({ sql }) => sql.startsWith("SELECT id,"));
      return {
        asked: page.map(({ values }) => values.at(-1)),
        items: JSON.parse(await response.text()).length,
      };
    };
    for (let count = 0; count < 20; count++) await add("x");
    for (let count = 0; count < 40; count++) await add("x".repeat(65_000));
    expect(await read()).toEqual({ asked: [101], items: 16 });
    expect(await read("&status=sold")).toEqual({ asked: [8], items: 0 });
    expect(await read("&status=sold")).toEqual({ asked: [101], items: 0 });
    expect(await read("&id=1,2,60")).toEqual({ asked: [101], items: 3 });
    expect((await read("&categoryId=1")).items).toBe(16);
    expect(await read("&categoryId=1")).toEqual({ asked: [8, 8, 8], items: 16 });
  } finally {
    queries.stop();
    await app.close();
  }
});
