import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Reply, send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

// `GET /pets?id=N` carries the animal's own tag, so that it is changed safely without getPet (RFC 9110 §13).

onBothEngines(({ startServer }) => {
  let server: Server;
  let key: string;
  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  type Headers = Readonly<Record<string, string>>;
  const call = (method: string, path: string, options: { headers?: Headers; body?: string } = {}) =>
    send(method, server.production + path, { key, ...options });
  const get = (path: string, headers: Headers = {}) => call("GET", path, { headers });
  const tagOf = (reply: Reply) => reply.headers.get("ETag") ?? "";
  const codeOf = ({ body }: Reply) => JSON.parse(body).code;
  const addPet = async (name = "x") => {
    const body = JSON.stringify({ name, categoryId: 1, status: "available" });
    return JSON.parse((await call("POST", "/pets", { body })).body).id;
  };

  describe("GET /pets?id=N", () => {
    test("carries the tag that getPet, createPet and updatePet show, also from the response cache and for HEAD", async () => {
      const body = '{"name":"Zoë, \\"]\\"","categoryId":9007199254740993}';
      const made = await call("POST", "/pets", { body });
      const { id } = JSON.parse(made.body);
      const tag = tagOf(made);
      expect(tag).toMatch(/^"[0-9a-z]+"$/);
      expect(tagOf(await get(`/pets/${id}`))).toBe(tag);
      for (const path of Array.from({ length: 4 }, () => `/pets?id=${id}`)) {
        const reply = await get(path);
        expect([reply.status, reply.body, tagOf(reply)]).toEqual([200, `[${made.body}]`, tag]);
        expect(tagOf(await call("HEAD", path))).toBe(tag);
      }
      for (const same of [`/pets?&id=${id}&`, `/pets?id=0${id}`]) expect(tagOf(await get(same))).toBe(tag);
      const changed = await call("PATCH", `/pets/${id}`, { body: '{"name":"y"}' });
      expect(tagOf(await get(`/pets?id=${id}`))).toBe(tagOf(changed));
      expect(tagOf(changed)).not.toBe(tag);
    });

    test("If-None-Match with it is answered 304, until the animal changes", async () => {
      const id = await addPet();
      const tag = tagOf(await get(`/pets?id=${id}`));
      for (const method of ["GET", "GET", "GET", "HEAD"]) {
        const reply = await call(method, `/pets?id=${id}`, { headers: { "If-None-Match": tag } });
        expect([reply.status, reply.body, tagOf(reply)]).toEqual([304, "", tag]);
      }
      await call("PATCH", `/pets/${id}`, { body: '{"name":"y"}' });
      expect((await get(`/pets?id=${id}`, { "If-None-Match": tag })).status).toBe(200);
    });

    test("If-Match with it: a change is 200, a second one 412; then the new tag removes the animal", async () => {
      const id = await addPet();
      const change = async (method: string, tag: string) => {
        const body = method === "PATCH" ? { body: '{"name":"changed"}' } : {};
        return call(method, `/pets/${id}`, { headers: { "If-Match": tag }, ...body });
      };
      const tag = tagOf(await get(`/pets?id=${id}`));
      expect((await change("PATCH", tag)).status).toBe(200);
      for (const method of ["PATCH", "DELETE"]) {
        const reply = await change(method, tag);
        expect([reply.status, codeOf(reply)]).toEqual([412, "precondition_failed"]);
      }
      expect((await change("DELETE", tagOf(await get(`/pets?id=${id}`)))).status).toBe(204);
      expect((await get(`/pets?id=${id}`)).body).toBe("[]");
    });

    test("every other page has a tag of its own, also one that shows the same animal alone", async () => {
      const id = await addPet();
      const tag = tagOf(await get(`/pets/${id}`));
      const pages = ["&limit=1", "&status=available", "&categoryId=1", `&id=${id}`, ",999999"];
      for (const more of pages) {
        const reply = await get(`/pets?id=${id}${more}`);
        expect([more, JSON.parse(reply.body).length]).toEqual([more, 1]);
        expect(tagOf(reply)).toMatch(/^"[0-9a-z]+"$/);
        expect([more, tagOf(reply)]).not.toEqual([more, tag]);
      }
      const none = await get("/pets?id=999999");
      expect([none.body, tagOf(none)]).toEqual(["[]", tagOf(await get("/pets?id=999998"))]);
      expect(tagOf(none)).toMatch(/^"[0-9a-z]{8,13}"$/);
    });
  });

  describe("orders", () => {
    const place = async () => {
      const body = `{"petId":${await addPet()}}`;
      const made = await call("POST", "/store/orders", { body });
      return { id: JSON.parse(made.body).id, tag: tagOf(made) };
    };
    const cancel = (id: number, tag: string) =>
      call("DELETE", `/store/orders/${id}`, { headers: { "If-Match": tag } });

    test("placing, showing and completing one carry its tag", async () => {
      const { id, tag } = await place();
      expect(tag).toMatch(/^"[0-9a-z]+"$/);
      expect(tagOf(await get(`/store/orders/${id}`))).toBe(tag);
      const completed = await call("POST", `/store/orders/${id}/complete`);
      expect(completed.status).toBe(200);
      expect(tagOf(completed)).toMatch(/^"[0-9a-z]+"$/);
      expect(tagOf(await get(`/store/orders/${id}`))).toBe(tagOf(completed));
    });

    test("If-Match on cancelling: 404, then 412, then 409; with the order's own tag 204", async () => {
      const { id, tag } = await place();
      expect((await cancel(999_999, '"nope"')).status).toBe(404);
      const reply = await cancel(id, '"nope"');
      expect([reply.status, codeOf(reply)]).toEqual([412, "precondition_failed"]);
      expect((await get(`/store/orders/${id}`)).status).toBe(200);
      expect((await cancel(id, tag)).status).toBe(204);

      const complete = await place();
      await call("POST", `/store/orders/${complete.id}/complete`);
      expect((await cancel(complete.id, complete.tag)).status).toBe(412);
      expect((await cancel(complete.id, "*")).status).toBe(409);
    });

    test("two cancellations with the order's tag: 204 and 404; beside a completion: 204 and 404, or 412 and 200", async () => {
      const statusesOf = async (replies: readonly Promise<Reply>[]) =>
        (await Promise.all(replies)).map(({ status }) => status);
      for (let round = 0; round < 20; round++) {
        const twice = await place();
        const both = await statusesOf([cancel(twice.id, twice.tag), cancel(twice.id, twice.tag)]);
        expect(both.sort()).toEqual([204, 404]);
        const { id, tag } = await place();
        expect([
          [204, 404],
          [412, 200],
        ]).toContainEqual(await statusesOf([cancel(id, tag), call("POST", `/store/orders/${id}/complete`)]));
      }
    });
  });
});
