import { beforeAll, describe, expect, test } from "bun:test";
import type { Overview, UsedCategories } from "../src/console/contract.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows } from "../src/storage/statement.ts";
import { callConsole, cookieOf } from "./call-console.ts";
import { onEachEngine } from "./test-app.ts";
import { whileCached } from "./until.ts";
import { useApp } from "./use-app.ts";

// Tests questions about stock and sales that a program asks the API: how many animals have each status, and which orders were
// completed in a period.

const LARGE = 30_000; // animals, and orders, in the large store; more than are counted, sorted or scanned at once
const PART = 2_000; // the number of rows that one statement adds
const DAY = Date.UTC(2026, 10, 20);

onEachEngine(
  (store) => {
    const shop = useApp(store, { flags: { signUp: "open" } });
    const inventory = async () => (await shop.get("/store/inventory")).json;
    async function idsOf(query: string): Promise<readonly number[][]> {
      const pages = await shop.app.readPages<{ id: number }>(shop.key, `/v1/store/orders?${query}`);
      return pages.map(({ items }) => items.map(({ id }) => id));
    }

    describe("of a small store", () => {
      const ids: number[] = [];
      beforeAll(async () => {
        for (const status of [
          "available",
          "available",
          "available",
          "available",
          "pending",
          "sold",
          undefined,
        ])
          ids.push(await shop.add("/pets", { name: "x", categoryId: 1, status }));
        for (const petId of ids.slice(0, 4)) {
          const id = await shop.order(petId);
          await shop.app.clock.advance(1_000);
          if (petId !== ids[3]) await shop.post(`/store/orders/${id}/complete`);
        }
      });

      test("the inventory counts every animal once, and includes changes immediately", async () => {
        expect(await inventory()).toEqual({ available: 0, pending: 2, sold: 4, withoutStatus: 1 });
        await shop.send(`PATCH /pets/${ids[6]}`, { body: { status: "available" } });
        expect(await inventory()).toEqual({ available: 1, pending: 2, sold: 4, withoutStatus: 0 });
        await shop.send(`DELETE /pets/${ids[6]}`);
        expect(await inventory()).toEqual({ available: 0, pending: 2, sold: 4, withoutStatus: 0 });
      });

      test("the inventory's ETag depends on the counts: 304 until one of them changes", async () => {
        const read = (headers: Record<string, string>, method = "GET") =>
          shop.send(`${method} /store/inventory`, { headers });
        const etag = (await read({})).headers.get("ETag") ?? "";
        expect((await read({ "If-None-Match": etag })).status).toBe(304);
        const head = await read({}, "HEAD");
        expect([head.status, head.headers.get("ETag"), head.body]).toEqual([200, etag, ""]);
        await shop.pet({ status: "sold" });
        expect((await read({ "If-None-Match": etag })).status).toBe(200);
      });

      test("completedFrom is inclusive and completedBefore is not; open orders are in no range", async () => {
        const orders: { id: number; completedAt?: string }[] = (await shop.get("/store/orders")).json;
        const [, third, second, first] = orders.map(({ completedAt = "" }) => completedAt);
        expect(await idsOf(`completedFrom=${first}`)).toEqual([[3, 2, 1]]);
        expect(await idsOf(`completedFrom=${second}&completedBefore=${third}`)).toEqual([[2]]);
        expect(await idsOf(`completedBefore=${second}`)).toEqual([[1]]);
        expect(await idsOf(`completedFrom=${third}&completedBefore=${first}`)).toEqual([[]]);
        expect(await idsOf(`completedFrom=${first}&complete=true&limit=2`)).toEqual([[3, 2], [1]]);
        expect(await idsOf(`completedFrom=${first}&complete=false`)).toEqual([[]]);
        expect(await idsOf(`completedFrom=${first}&petId=${ids[1]}`)).toEqual([[2]]);
        const offset = second?.replace("T12", "T13").replace("Z", "%2B01:00");
        expect(await idsOf(`completedFrom=${offset}&completedBefore=${third}`)).toEqual([[2]]);
        expect(
          (await shop.get(`/store/orders?completedFrom=${second?.replace("Z", "+01:00")}`)).json,
        ).toMatchObject({
          code: "invalid_parameter",
          message: "completedFrom must be an RFC 3339 time such as 2026-01-01T12:00:00Z.",
        });
      });
    });

    describe("of a large store", () => {
      beforeAll(async () => {
        const database = await openDatabase("production", shop.app.config);
        await fill(database);
        await database.close();
      });

      test("the inventory is exact, and counted again after five seconds", async () => {
        const counts = await inventory();
        expect(counts).toMatchObject({ available: LARGE - 1_000, withoutStatus: 1_000 });
        await shop.pet();
        expect(await inventory()).toEqual(counts);
        expect(await inventory()).toEqual(counts);
        await shop.app.clock.advance(5_000);
        expect(await inventory()).toEqual({ ...counts, available: LARGE - 999 });
      });

      test("the console's counts are also exact, and are shared by all requests within five seconds", async () => {
        await shop.app.clock.advance(5_000);
        const account = { email: "ada@example.com", password: "teacup-on-the-harbour" };
        const cookie = cookieOf(await callConsole(shop.app, "POST /accounts", account));
        const read = async (path: string) =>
          (await callConsole(shop.app, `GET ${path}`, undefined, { cookie })).json;
        const counts = async () => {
          const { pets, available, openOrders, cachedForMs } = (await read("/overview")) as Overview;
          return {
            cachedForMs,
            pets,
            available,
            openOrders,
            used: ((await read("/used-categories")) as UsedCategories).used,
          };
        };
        const before = await counts();
        const { available, pending, sold, withoutStatus } = await inventory();
        expect(available).toBeGreaterThan(LARGE - 1_000);
        expect(before).toEqual({
          cachedForMs: 5_000,
          pets: [
            { status: "available", count: available },
            { status: "pending", count: pending },
            { status: "sold", count: sold },
            { status: null, count: withoutStatus },
          ],
          available: [{ id: 1, count: available }],
          openOrders: 1_001,
          used: [{ id: 1, isNamed: false, count: available + pending + sold + withoutStatus }],
        });
        await shop.pet();
        expect(await counts()).toEqual(before);
        await shop.app.clock.advance(5_000);
        expect((await counts()).available).toEqual([{ id: 1, count: available + 1 }]);
      });

      test("a key may request the inventory 8 times concurrently; the ninth gets 429, and other keys share the same count", async () => {
        await shop.app.clock.advance(5_000);
        const { token: other } = await shop.app.makeKey();
        const statusOf = async (token: string) =>
          (await shop.send("GET /store/inventory", { key: token })).status;
        const answers = await whileCached(shop.app, [shop.key, other], () =>
          Promise.all([...new Array(9).fill(shop.key), other].map(statusOf)),
        );
        expect(answers).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429, 200]);
      });

      test("a range of many orders is scanned: a page may be empty, nothing is skipped, and next leads on", async () => {
        const pages = await idsOf(`completedBefore=${new Date(DAY + 6_000).toISOString()}&limit=100`);
        expect(pages[0]).toEqual([]);
        const found = pages.flat();
        expect(found).toEqual([...new Set(found)].sort((one, other) => other - one));
        expect(found.length).toBe(5_999);
      });

      test("a few matching orders among many fit on one page, wherever they are", async () => {
        const at = (time: number) => new Date(DAY + time).toISOString();
        const pages = await idsOf(`completedFrom=${at(10)}&completedBefore=${at(13)}`);
        expect(pages.map(({ length }) => length)).toEqual([3]);
      });
    });
  },
  { always: true },
);

/**
 * Adds animals and orders. Each order was completed one millisecond after the one before it. The newest thousand orders are open. A
 * statement adds only some of the rows, because PostgreSQL ends a statement that takes seconds.
 */
async function fill(database: Database): Promise<void> {
  const run = (sql: string) => database.run({ sql, decode: noRows }, []);
  const newest = LARGE - 1_000;
  for (let start = 0; start < LARGE; start += PART) {
    const numbers = `WITH RECURSIVE n (i) AS (SELECT ${start + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${start + PART})`;
    await run(`INSERT INTO pet (name, category_id, status)
      ${numbers} SELECT 'x', 1, CASE WHEN i > 1000 THEN 'available' END FROM n`);
    await run(`INSERT INTO store_order (pet_id, quantity, complete, created_at, completed_at)
      ${numbers} SELECT 1000 + i, 1, CASE WHEN i > ${newest} THEN 0 ELSE 1 END, ${DAY},
        CASE WHEN i > ${newest} THEN NULL ELSE ${DAY} + i END FROM n`);
  }
}
