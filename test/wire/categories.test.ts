import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Reply, send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ startServer }) => {
  let server: Server;
  let key: string;
  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    send(method, server.production + path, { key, headers, ...(body === undefined ? {} : { body }) });
  const get = (id: number) => call("GET", `/categories/${id}`);
  const patch = (id: number, body: string, headers = {}) => call("PATCH", `/categories/${id}`, body, headers);
  const remove = (id: number, headers = {}) => call("DELETE", `/categories/${id}`, undefined, headers);
  const tagOf = ({ headers }: Reply) => headers.get("ETag") ?? "";
  const errorOf = ({ status, body }: Reply) => [status, JSON.parse(body).code];

  async function add(path: string, body: string): Promise<number> {
    return JSON.parse((await call("POST", path, body)).body).id;
  }
  const addCategory = (body = '{"name":"Cats","description":"Purring"}') => add("/categories", body);
  const addPet = (categoryId: number) => add("/pets", `{"name":"x","categoryId":${categoryId}}`);

  describe("getCategory: GET /categories/{categoryId}", () => {
    test("200 with what createCategory answered, at its Location and under its tag; 304 for the tag", async () => {
      const made = await call("POST", "/categories", '{"name":"Cats","description":"Purring"}', {
        "Idempotency-Key": "located",
      });
      const { id } = JSON.parse(made.body);
      expect(made.headers.get("Location")).toBe(`${server.production}/categories/${id}`);
      const found = await get(id);
      expect([found.status, found.body, tagOf(found)]).toEqual([200, made.body, tagOf(made)]);
      const same = await call("GET", `/categories/${id}`, undefined, { "If-None-Match": tagOf(made) });
      expect([same.status, same.body]).toEqual([304, ""]);
      const replayed = await call("POST", "/categories", '{"name":"Cats","description":"Purring"}', {
        "Idempotency-Key": "located",
      });
      expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
      for (const name of ["Location", "ETag"]) {
        expect([name, replayed.headers.get(name)]).toEqual([name, made.headers.get(name)]);
      }
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
        expect([reply.status, reply.body]).toEqual([200, `{"id":${id},${expected}}`]);
        const found = await get(id);
        expect([found.body, tagOf(found)]).toEqual([reply.body, tagOf(reply)]);
      }
    });

    test("404 for an unknown category; 415 lists the accepted media types", async () => {
      expect(errorOf(await patch(999_999, '{"name":"x"}'))).toEqual([404, "not_found"]);
      const reply = await patch(1, "{}", { "Content-Type": "application/json-patch+json" });
      expect([reply.status, reply.headers.get("Accept-Patch")]).toEqual([
        415,
        "application/merge-patch+json, application/json",
      ]);
    });
  });

  describe("deleteCategory: DELETE /categories/{categoryId}", () => {
    test("204, then 404; its identifier is not used again", async () => {
      const id = await addCategory();
      const reply = await remove(id);
      expect([reply.status, reply.body]).toEqual([204, ""]);
      expect(errorOf(await remove(id))).toEqual([404, "not_found"]);
      expect(errorOf(await get(id))).toEqual([404, "not_found"]);
      expect(await addCategory()).toBe(id + 1);
    });

    test("409 category_in_use names an animal that is in it, 204 once there is none", async () => {
      const id = await addCategory();
      const [first, second] = [await addPet(id), await addPet(id)];
      for (const petId of [second, first]) {
        const refused = await remove(id);
        expect(errorOf(refused)).toEqual([409, "category_in_use"]);
        expect(JSON.parse(refused.body).message).toBe(
          `Category ${id} is in use by animal ${petId}. Remove the animal or change its category first.`,
        );
        await call("PATCH", `/pets/${petId}`, `{"categoryId":${id + 1_000_000}}`);
      }
      expect((await remove(id)).status).toBe(204);
    });

    test("beside an animal that is added: 409 with its category kept, or 204; the animal is there in both cases", async () => {
      for (let round = 0; round < 30; round++) {
        const id = await addCategory();
        const [petId, removed] = await Promise.all([addPet(id), remove(id)]);
        if (removed.status === 204) expect((await get(id)).status).toBe(404);
        else {
          expect(errorOf(removed)).toEqual([409, "category_in_use"]);
          expect(JSON.parse(removed.body).message).toContain(`in use by animal ${petId}.`);
          expect((await get(id)).status).toBe(200);
        }
        expect(JSON.parse((await call("GET", `/pets?id=${petId}`)).body)).toMatchObject([{ categoryId: id }]);
      }
    });
  });

  describe("If-Match", () => {
    test("404 comes first, then 412, then 409; * matches any category that exists", async () => {
      const id = await addCategory();
      for (const ifMatch of ["*", '"nope"']) {
        const headers = { "If-Match": ifMatch };
        for (const reply of [await patch(999_999, "{}", headers), await remove(999_999, headers)])
          expect(errorOf(reply)).toEqual([404, "not_found"]);
      }
      await addPet(id);
      const before = await get(id);
      for (const ifMatch of ['"nope"', `W/${tagOf(before)}`]) {
        const headers = { "If-Match": ifMatch };
        for (const reply of [await patch(id, '{"name":"y"}', headers), await remove(id, headers)])
          expect(errorOf(reply)).toEqual([412, "precondition_failed"]);
      }
      expect((await get(id)).body).toBe(before.body);
      expect(errorOf(await remove(id, { "If-Match": "*" }))).toEqual([409, "category_in_use"]);
      expect(errorOf(await remove(id, { "If-Match": tagOf(before) }))).toEqual([409, "category_in_use"]);
      expect((await patch(id, '{"name":"y"}', { "If-Match": "*" })).status).toBe(200);
    });

    test("two writers with one tag, 200 rounds: one 200 and one 412, and the first one's change stays", async () => {
      const id = await addCategory();
      let tag = tagOf(await get(id));
      for (let round = 0; round < 200; round++) {
        const names = [`a${round}`, `b${round}`];
        const replies = await Promise.all(
          names.map((name) => patch(id, `{"name":"${name}"}`, { "If-Match": tag })),
        );
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
        const winner = replies.findIndex(({ status }) => status === 200);
        const now = await get(id);
        expect(JSON.parse(now.body).name).toBe(names[winner]);
        tag = tagOf(now);
      }
    });

    test("a change and a removal with one tag: only one of them happens", async () => {
      for (let round = 0; round < 20; round++) {
        const id = await addCategory();
        const headers = { "If-Match": tagOf(await get(id)) };
        const replies = await Promise.all([patch(id, '{"name":"kept"}', headers), remove(id, headers)]);
        expect([
          [200, 412],
          [404, 204],
        ]).toContainEqual(replies.map(({ status }) => status));
      }
    });
  });
});
