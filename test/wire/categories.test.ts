import { describe, expect, test } from "bun:test";
import type { Reply } from "./send.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore();

  const get = (id: number) => server.get(`/categories/${id}`);
  const patch = (id: number, body: string) => server.send(`PATCH /categories/${id}`, { body });
  const remove = (id: number) => server.send(`DELETE /categories/${id}`);
  const tagOf = ({ headers }: Reply) => headers.get("ETag") ?? "";
  const errorOf = ({ status, body }: Reply) => [status, JSON.parse(body).code];
  const addCategory = () => server.add("/categories", { name: "Cats", description: "Purring" });
  const addPet = (categoryId: number) => server.add("/pets", { name: "x", categoryId });

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
        expect([reply.status, reply.body]).toEqual([200, `{"id":${id},${expected}}`]);
        const found = await get(id);
        expect([found.body, tagOf(found)]).toEqual([reply.body, tagOf(reply)]);
      }
    });
  });

  describe("deleteCategory: DELETE /categories/{categoryId}", () => {
    test("409 category_in_use names an animal that is in it, 204 once there is none", async () => {
      const id = await addCategory();
      const [first, second] = [await addPet(id), await addPet(id)];
      for (const petId of [second, first]) {
        const refused = await remove(id);
        expect(errorOf(refused)).toEqual([409, "category_in_use"]);
        expect(JSON.parse(refused.body).message).toBe(
          `Category ${id} is in use by animal ${petId}. Remove the animal or change its category first.`,
        );
        await server.send(`PATCH /pets/${petId}`, { body: { categoryId: id + 1_000_000 } });
      }
      expect((await remove(id)).status).toBe(204);
    });
  });
});
