import { describe, expect, test } from "bun:test";
import type { Reply } from "./send.ts";
import { onBothEngines } from "./server.ts";

// The response to `GET /pets?id=N` has the animal's own ETag. With it, a program can change the animal safely without calling
// getPet (RFC 9110 §13).

onBothEngines(({ useStore }) => {
  const server = useStore();

  const tagOf = (reply: Reply) => reply.headers.get("ETag") ?? "";

  describe("GET /pets?id=N", () => {
    test("carries the same tag as getPet, createPet and updatePet, even from the response cache and for HEAD", async () => {
      const body = '{"name":"Zoë, \\"]\\"","categoryId":9007199254740993}';
      const made = await server.post("/pets", body);
      const { id } = made.json;
      const tag = tagOf(made);
      expect(tag).toMatch(/^"[0-9a-z]+"$/);
      expect(tagOf(await server.get(`/pets/${id}`))).toBe(tag);
      for (const path of Array.from({ length: 4 }, () => `/pets?id=${id}`)) {
        const reply = await server.get(path);
        expect([reply.status, reply.body, tagOf(reply)]).toEqual([200, `[${made.body}]`, tag]);
        expect(tagOf(await server.send(`HEAD ${path}`))).toBe(tag);
      }
      expect(tagOf(await server.get(`/pets?&id=${id}&`))).toBe(tag);
      const changed = await server.send(`PATCH /pets/${id}`, { body: '{"name":"y"}' });
      expect(tagOf(await server.get(`/pets?id=${id}`))).toBe(tagOf(changed));
      expect(tagOf(changed)).not.toBe(tag);
    });

    test("If-None-Match with it is answered 304, until the animal changes", async () => {
      const id = await server.pet();
      const tag = tagOf(await server.get(`/pets?id=${id}`));
      for (const method of ["GET", "GET", "GET", "HEAD"]) {
        const reply = await server.send(`${method} /pets?id=${id}`, { headers: { "If-None-Match": tag } });
        expect([reply.status, reply.body, tagOf(reply)]).toEqual([304, "", tag]);
      }
      await server.send(`PATCH /pets/${id}`, { body: '{"name":"y"}' });
      expect((await server.get(`/pets?id=${id}`, { "If-None-Match": tag })).status).toBe(200);
    });

    test("every other page has its own tag, even one that contains only the same animal", async () => {
      const id = await server.pet();
      const tag = tagOf(await server.get(`/pets/${id}`));
      const pages = ["&limit=1", "&status=available", "&categoryId=1", `&id=${id}`, ",999999"];
      for (const more of pages) {
        const reply = await server.get(`/pets?id=${id}${more}`);
        expect([more, reply.json.length]).toEqual([more, 1]);
        expect(tagOf(reply)).toMatch(/^"[0-9a-z]+"$/);
        expect([more, tagOf(reply)]).not.toEqual([more, tag]);
      }
      const none = await server.get("/pets?id=999999");
      expect([none.body, tagOf(none)]).toEqual(["[]", tagOf(await server.get("/pets?id=999998"))]);
      expect(tagOf(none)).toMatch(/^"[0-9a-z]{8,13}"$/);
    });
  });
});
