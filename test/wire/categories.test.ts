import { describe, expect, test } from "bun:test";
import { writeJson } from "../../src/contract/json/json.ts";
import type { Reply } from "./send.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore();

  const get = (id: number) => server.get(`/categories/${id}`);
  const patch = (id: number, body: string) => server.send(`PATCH /categories/${id}`, { body });
  const remove = (id: number) => server.send(`DELETE /categories/${id}`);
  const tagOf = ({ headers }: Reply) => headers.get("ETag") ?? "";
  const addCategory = () => server.add("/categories", { name: "Cats", description: "Purring" });

  describe("createCategory: POST /categories", () => {
    const create = (body: object) => server.send("POST /categories", { body: writeJson(body) });
    const idOf = ({ body }: Reply) => BigInt(/"id":(-?\d+)/.exec(body)?.[1] ?? 0);

    test("a given number is exact at both ends of int64, and does not affect generated numbers", async () => {
      const before = idOf(await create({ name: "before" }));
      const ends = [2n ** 63n - 1n, 2n ** 53n + 1n, -(2n ** 63n)];
      for (const id of ends) {
        const reply = await create({ id, name: "end" });
        expect([reply.status, idOf(reply)]).toEqual([201, id]);
        expect(reply.headers.get("Location")).toEndWith(`/categories/${id}`);
        expect(idOf(await server.get(`/categories/${id}`))).toBe(id);
      }
      const listed: bigint[] = [];
      for (let path: string | undefined = "/categories?limit=1"; path !== undefined; ) {
        const { body, headers } = await server.get(path);
        listed.push(...[...body.matchAll(/"id":(-?\d+)/g)].map(([, id = ""]) => BigInt(id)));
        path = /\/categories\?[^>]*/.exec(headers.get("Link") ?? "")?.[0];
      }
      expect(listed.slice(0, 2)).toEqual(ends.slice(0, 2));
      expect(listed.at(-1)).toBe(-(2n ** 63n));
      expect(new Set(listed).size).toBe(listed.length);
      expect(idOf(await create({ name: "after" }))).toBe(before + 1n);
      for (const id of ends) expect((await server.send(`DELETE /categories/${id}`)).status).toBe(204);
    });

    test("409 conflict names the category that has the number; of concurrent creates one gets it", async () => {
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => create({ id: 77_000, name: "Fish" })),
      );
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...new Array(7).fill(409)]);
      const refused = replies.find(({ status }) => status === 409);
      expect(refused?.json).toEqual({
        code: "conflict",
        message: "Category 77000 (Fish) already exists.",
        status: 409,
      });
    });

    test("a generated number is never one that a category or an animal already used", async () => {
      const last = await addCategory();
      await server.pet({ categoryId: last + 1 });
      await create({ id: last + 2, name: "given" });
      const [next = 0, ...others] = await Promise.all(Array.from({ length: 4 }, addCategory));
      expect([next, ...others].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6].map((step) => last + step));
      for (const id of [next, ...others]) await remove(id);
      expect(await addCategory()).toBe(last + 7);
    });
  });

  describe("updateCategory: PATCH /categories/{categoryId}", () => {
    test("changes the given members and leaves the others; null removes the description", async () => {
      const id = await addCategory();
      for (const [body, expected] of [
        ["{}", '"name":"Cats","description":"Purring"'],
        ['{"name":"Felines"}', '"name":"Felines","description":"Purring"'],
        ['{"description":""}', '"name":"Felines","description":""'],
        ['{"description":null,"x":1}', '"name":"Felines"'],
        ['{"name":"","description":"All"}', '"name":"","description":"All"'],
      ] as const) {
        const reply = await patch(id, body);
        const created = `,"createdAt":"${reply.json.createdAt}"}`;
        expect(reply).toMatchObject({ status: 200, body: `{"id":${id},${expected}${created}` });
        const found = await get(id);
        expect([found.body, tagOf(found)]).toEqual([reply.body, tagOf(reply)]);
      }
    });
  });

  describe("deleteCategory: DELETE /categories/{categoryId}", () => {
    test("answers 409 category_in_use, which names an animal in the category, and answers 204 once the category is empty", async () => {
      const id = await addCategory();
      const [first, second] = [await server.pet({ categoryId: id }), await server.pet({ categoryId: id })];
      for (const petId of [second, first]) {
        const refused = await remove(id);
        expect(refused).toMatchObject({ status: 409, json: { code: "category_in_use" } });
        expect(refused.json.message).toBe(
          `Category ${id} cannot be removed, because animal ${petId} is in it. Remove the animal or change its category first.`,
        );
        await server.send(`PATCH /pets/${petId}`, { body: { categoryId: id + 1_000_000 } });
      }
      expect((await remove(id)).status).toBe(204);
    });
  });
});
