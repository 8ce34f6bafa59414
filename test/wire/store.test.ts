import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sha256 } from "../../src/platform/sha256.ts";
import { noRows, type Statement, statement } from "../../src/storage/statement.ts";
import { openServed } from "./events.ts";
import { type Reply, send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ startServer }) => {
  // Animals, categories and orders in use.

  let server: Server;
  let key: string;

  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  const post = (path: string, body?: string, headers: Record<string, string> = {}) =>
    send("POST", server.production + path, { key, headers, ...(body === undefined ? {} : { body }) });
  const get = (path: string) => send("GET", server.production + path, { key });
  const codeOf = (reply: Reply) => JSON.parse(reply.body).code;
  const messageOf = (reply: Reply) => JSON.parse(reply.body).message;

  async function addPet(status = "available"): Promise<number> {
    const reply = await post("/pets", `{"name":"x","categoryId":1,"status":"${status}"}`);
    return JSON.parse(reply.body).id;
  }
  async function statusOf(petId: number): Promise<string | undefined> {
    return JSON.parse((await get(`/pets?id=${petId}`)).body)[0]?.status;
  }

  describe("paging", () => {
    test("1,000 animals paged by 7 while others are added: each of the first 1,000 exactly once", async () => {
      const first = new Set<number>();
      const addAll = async (count: number) =>
        Promise.all(Array.from({ length: count }, async () => first.add(await addPet())));
      for (let batch = 0; batch < 10; batch++) await addAll(100);
      expect(first.size).toBe(1000);

      const seen: number[] = [];
      let address: string | undefined = `${server.production}/pets?limit=7`;
      while (address !== undefined) {
        const [page]: [Reply, number] = await Promise.all([send("GET", address, { key }), addPet()]);
        seen.push(...JSON.parse(page.body).map((pet: { id: number }) => pet.id));
        address = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
      }
      const seenOfFirst = seen.filter((id) => first.has(id));
      expect(seenOfFirst).toHaveLength(1000);
      expect(new Set(seenOfFirst).size).toBe(1000);
      expect(seen).toEqual([...seen].sort((a, b) => b - a));
    });

    test("categories and orders page the same way", async () => {
      for (const name of ["Cats", "Dogs", "Fish"]) await post("/categories", `{"name":"${name}"}`);
      const page = await get("/categories?limit=2");
      expect(page.body).toBe('[{"id":3,"name":"Fish"},{"id":2,"name":"Dogs"}]');
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] ?? "";
      const last = await send("GET", next, { key });
      expect(last.body).toBe('[{"id":1,"name":"Cats"}]');
      expect(last.headers.get("Link")).toBeNull();
      const cursor = new URL(next).searchParams.get("cursor");
      expect(codeOf(await get(`/store/orders?cursor=${cursor}`))).toBe("invalid_cursor");
    });

    test("a cursor of production is 400 invalid_cursor in staging, and the reverse", async () => {
      const stagingKey = await makeKey(server.store, { environment: "staging" });
      const production = { base: server.production, key };
      const staging = { base: server.staging, key: stagingKey };
      for (const [made, used] of [
        [production, staging],
        [staging, production],
      ] as const) {
        for (const [path, body] of [
          ["/pets", '{"name":"x","categoryId":1,"status":"sold"}'],
          ["/categories", '{"name":"x"}'],
        ] as const) {
          for (let count = 0; count < 2; count++)
            await send("POST", made.base + path, { key: made.key, body });
          const page = await send("GET", `${made.base + path}?limit=1`, { key: made.key });
          const cursor = /cursor=([\w-]+)/.exec(page.headers.get("Link") ?? "")?.[1];
          const own = await send("GET", `${made.base + path}?cursor=${cursor}`, { key: made.key });
          expect(own.status).toBe(200);
          const other = await send("GET", `${used.base + path}?cursor=${cursor}`, { key: used.key });
          expect([other.status, codeOf(other)]).toEqual([400, "invalid_cursor"]);
        }
      }
    });
  });

  describe("updatePet: PATCH /pets/{petId}", () => {
    const patch = (petId: number, body: string, type = "application/merge-patch+json") =>
      send("PATCH", `${server.production}/pets/${petId}`, { key, body, headers: { "Content-Type": type } });

    test("changes the given members and leaves the others; null removes the status", async () => {
      const id = await addPet("sold");
      expect((await patch(id, '{"name":"Rex"}')).body).toBe(
        `{"id":${id},"name":"Rex","categoryId":1,"status":"sold"}`,
      );
      expect((await patch(id, '{"categoryId":9223372036854775807}', "application/json")).body).toBe(
        `{"id":${id},"name":"Rex","categoryId":9223372036854775807,"status":"sold"}`,
      );
      expect((await patch(id, '{"status":null}')).body).toBe(
        `{"id":${id},"name":"Rex","categoryId":9223372036854775807}`,
      );
      expect((await patch(id, "{}")).body).toBe(`{"id":${id},"name":"Rex","categoryId":9223372036854775807}`);
      expect((await get(`/pets/${id}`)).body).toBe(
        `{"id":${id},"name":"Rex","categoryId":9223372036854775807}`,
      );
    });

    test("404 for an unknown animal; 415 lists the accepted media types", async () => {
      expect((await patch(999_999, "{}")).status).toBe(404);
      const reply = await patch(1, "{}", "application/json-patch+json");
      expect(reply.status).toBe(415);
      expect(reply.headers.get("Accept-Patch")).toBe("application/merge-patch+json, application/json");
    });
  });

  describe("deletePet: DELETE /pets/{petId}", () => {
    const remove = (petId: number) => send("DELETE", `${server.production}/pets/${petId}`, { key });

    test("204, then 404; its identifier is not used again", async () => {
      const id = await addPet();
      const reply = await remove(id);
      expect(reply.status).toBe(204);
      expect(reply.body).toBe("");
      expect((await remove(id)).status).toBe(404);
      expect((await get(`/pets/${id}`)).status).toBe(404);
      expect(await addPet()).toBe(id + 1);
    });

    test("409 pet_has_open_order while an order is open, 204 once it is complete", async () => {
      const petId = await addPet();
      const order = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
      const refused = await remove(petId);
      expect(refused.status).toBe(409);
      expect(codeOf(refused)).toBe("pet_has_open_order");
      expect(messageOf(refused)).toBe(
        `Animal ${petId} has an open order: ${order.id}. Complete or cancel it first.`,
      );
      await post(`/store/orders/${order.id}/complete`);
      expect((await remove(petId)).status).toBe(204);
      expect((await get("/store/orders?limit=1")).body).toBe(
        `[{"id":${order.id},"petId":${petId},"quantity":1,"shipDate":null,"complete":true}]`,
      );
    });
  });

  describe("createCategory: POST /categories", () => {
    test("201 with the category; its description may be left out", async () => {
      const reply = await post("/categories", '{"name":"Birds","description":"They sing"}');
      expect(reply.status).toBe(201);
      expect(JSON.parse(reply.body)).toMatchObject({ name: "Birds", description: "They sing" });
      expect(Object.keys(JSON.parse((await post("/categories", '{"name":"Owls"}')).body))).toEqual([
        "id",
        "name",
      ]);
    });
  });

  describe("orders", () => {
    test("placing sets the animal to pending, completing to sold", async () => {
      const petId = await addPet();
      const placed = await post(
        "/store/orders",
        `{"petId":${petId},"quantity":1,"shipDate":"2026-12-24T18:00:00Z"}`,
      );
      expect(placed.status).toBe(201);
      const order = JSON.parse(placed.body);
      expect(Object.keys(order)).toEqual(["id", "petId", "quantity", "shipDate", "complete"]);
      expect(order).toMatchObject({
        petId,
        quantity: 1,
        shipDate: "2026-12-24T18:00:00.000Z",
        complete: false,
      });
      expect(await statusOf(petId)).toBe("pending");
      const completed = await post(`/store/orders/${order.id}/complete`);
      expect(completed.status).toBe(200);
      expect(JSON.parse(completed.body)).toEqual({ ...order, complete: true });
      expect(await statusOf(petId)).toBe("sold");
    });

    test("cancelling sets the animal to available, and deletes the order", async () => {
      const petId = await addPet();
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
      const cancel = () => send("DELETE", `${server.production}/store/orders/${id}`, { key });
      expect((await cancel()).status).toBe(204);
      expect(await statusOf(petId)).toBe("available");
      expect((await cancel()).status).toBe(404);
      expect((await post(`/store/orders/${id}/complete`)).status).toBe(404);
      expect((await get("/store/orders?limit=100")).body).not.toContain(`"id":${id},`);
    });

    test("cancelling leaves the status of an animal that an earlier version let be changed meanwhile", async () => {
      const sell: Statement<[id: number], undefined> = statement(
        "UPDATE pet SET status = 'sold' WHERE id = $1",
        noRows,
      );
      const petId = await addPet();
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
      const database = await openServed(server);
      await database.run(sell, [petId]);
      await database.close();
      const cancelled = await send("DELETE", `${server.production}/store/orders/${id}`, { key });
      expect([cancelled.status, await statusOf(petId)]).toEqual([204, "sold"]);
    });

    test("getOrder: 200 with its address in Location, 304 for its tag, 404 once it is cancelled", async () => {
      const placed = await post("/store/orders", `{"petId":${await addPet()}}`);
      const { id } = JSON.parse(placed.body);
      expect(placed.headers.get("Location")).toBe(`${server.production}/store/orders/${id}`);
      const found = await get(`/store/orders/${id}`);
      expect([found.status, found.body]).toEqual([200, placed.body]);
      const headers = { "If-None-Match": found.headers.get("ETag") ?? "" };
      const again = await send("GET", `${server.production}/store/orders/${id}`, { key, headers });
      expect([again.status, again.body]).toEqual([304, ""]);
      await send("DELETE", `${server.production}/store/orders/${id}`, { key });
      expect((await get(`/store/orders/${id}`)).status).toBe(404);
    });

    test("listOrders by petId and complete, page by page", async () => {
      const petId = await addPet();
      const ids: number[] = [];
      for (let round = 0; round < 4; round++) {
        const { id } = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
        ids.unshift(id);
        if (round === 3) break;
        await post(`/store/orders/${id}/complete`);
        await send("PATCH", `${server.production}/pets/${petId}`, { key, body: '{"status":"available"}' });
      }
      const idsOf = ({ body }: Reply) => JSON.parse(body).map((order: { id: number }) => order.id);
      expect(idsOf(await get(`/store/orders?petId=${petId}`))).toEqual(ids);
      expect(idsOf(await get(`/store/orders?petId=${petId}&complete=false`))).toEqual(ids.slice(0, 1));
      const page = await get(`/store/orders?petId=${petId}&complete=true&limit=2`);
      expect(idsOf(page)).toEqual(ids.slice(1, 3));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] ?? "";
      expect(idsOf(await send("GET", next, { key }))).toEqual(ids.slice(3));
      const cursor = new URL(next).searchParams.get("cursor");
      for (const other of ["", `&petId=${petId}`, `&petId=${petId}&complete=false`, "&complete=true"])
        expect(codeOf(await get(`/store/orders?cursor=${cursor}${other}`))).toBe("invalid_cursor");
      const open = JSON.parse((await get("/store/orders?complete=false&limit=100")).body);
      expect(new Set(open.map((order: { complete: boolean }) => order.complete))).toEqual(new Set([false]));
    });

    test("409 order_already_complete for completing or cancelling a complete order", async () => {
      const petId = await addPet();
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
      await post(`/store/orders/${id}/complete`);
      const again = await post(`/store/orders/${id}/complete`);
      const cancel = await send("DELETE", `${server.production}/store/orders/${id}`, { key });
      expect([again.status, codeOf(again)]).toEqual([409, "order_already_complete"]);
      expect([cancel.status, codeOf(cancel)]).toEqual([409, "order_already_complete"]);
      for (const reply of [again, cancel]) expect(messageOf(reply)).toBe(`Order ${id} is already complete.`);
      expect(await statusOf(petId)).toBe("sold");
    });

    test("404 for an unknown animal, 409 pet_not_available for one that is not available", async () => {
      expect((await post("/store/orders", '{"petId":9223372036854775807}')).status).toBe(404);
      const withoutStatus = JSON.parse((await post("/pets", '{"name":"x","categoryId":1}')).body).id;
      for (const [petId, reason] of [
        [await addPet("sold"), "it is sold"],
        [await addPet("pending"), "it is pending"],
        [withoutStatus, "it has no status"],
      ]) {
        const reply = await post("/store/orders", `{"petId":${petId}}`);
        expect([reply.status, codeOf(reply)]).toEqual([409, "pet_not_available"]);
        expect(messageOf(reply)).toBe(`Animal ${petId} is not available: ${reason}.`);
      }
    });

    test("409 pet_has_open_order for the status of an ordered animal; its other members change", async () => {
      const petId = await addPet();
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${petId}}`)).body);
      const patch = (body: string) => send("PATCH", `${server.production}/pets/${petId}`, { key, body });
      for (const status of ["null", '"available"', '"pending"', '"sold"']) {
        const reply = await patch(`{"name":"y","status":${status}}`);
        expect([reply.status, codeOf(reply)]).toEqual([409, "pet_has_open_order"]);
        expect(messageOf(reply)).toBe(
          `Animal ${petId} has an open order: ${id}. Complete or cancel it first.`,
        );
      }
      expect((await patch('{"name":"z","categoryId":2}')).body).toBe(
        `{"id":${petId},"name":"z","categoryId":2,"status":"pending"}`,
      );
      const again = await post("/store/orders", `{"petId":${petId}}`);
      expect([again.status, codeOf(again)]).toEqual([409, "pet_not_available"]);
      expect(messageOf(again)).toBe(`Animal ${petId} has an open order: ${id}.`);
      await post(`/store/orders/${id}/complete`);
      expect((await patch('{"status":"available"}')).status).toBe(200);
    });

    test("an order and a change of the status at once: never an open order for an animal that is not pending", async () => {
      for (let round = 0; round < 50; round++) {
        const petId = await addPet();
        const [placed, patched] = await Promise.all([
          post("/store/orders", `{"petId":${petId}}`),
          send("PATCH", `${server.production}/pets/${petId}`, { key, body: '{"status":"sold"}' }),
        ]);
        expect([placed.status, patched.status].sort()).toEqual(
          placed.status === 201 ? [201, 409] : [200, 409],
        );
        expect(await statusOf(petId)).toBe(placed.status === 201 ? "pending" : "sold");
      }
    });

    test("two simultaneous orders for one animal: one 201, one 409, over 200 rounds", async () => {
      for (let round = 0; round < 200; round++) {
        const petId = await addPet();
        const body = `{"petId":${petId}}`;
        const replies = await Promise.all([post("/store/orders", body), post("/store/orders", body)]);
        expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409]);
        expect(await statusOf(petId)).toBe("pending");
      }
    });
  });

  describe("If-Match on PATCH and DELETE of an animal", () => {
    const change = (petId: number, ifMatch: string | undefined, body?: string) =>
      send(body === undefined ? "DELETE" : "PATCH", `${server.production}/pets/${petId}`, {
        key,
        headers: ifMatch === undefined ? {} : { "If-Match": ifMatch },
        ...(body === undefined ? {} : { body }),
      });
    const tagOf = (reply: Reply) => reply.headers.get("ETag") ?? "";

    test("201 and the 200 of PATCH carry the tag that getPet shows", async () => {
      const made = await post("/pets", '{"name":"x","categoryId":9007199254740993}');
      const { id } = JSON.parse(made.body);
      expect(tagOf(made)).toMatch(/^"[0-9a-z]+"$/);
      expect(tagOf(await get(`/pets/${id}`))).toBe(tagOf(made));
      const changed = await change(id, tagOf(made), '{"status":"sold"}');
      expect(changed.status).toBe(200);
      expect(tagOf(changed)).not.toBe(tagOf(made));
      expect(tagOf(await get(`/pets/${id}`))).toBe(tagOf(changed));
    });

    test("a replayed 201 has the first one's tag", async () => {
      const headers = { "Idempotency-Key": "tagged" };
      const first = await post("/pets", '{"name":"x","categoryId":1}', headers);
      const again = await post("/pets", '{"name":"x","categoryId":1}', headers);
      expect([again.headers.get("Idempotent-Replayed"), tagOf(again)]).toEqual(["true", tagOf(first)]);
    });

    test("412 precondition_failed for another tag or a weak one, and nothing is changed", async () => {
      const id = await addPet();
      const before = await get(`/pets/${id}`);
      for (const ifMatch of ['"nope"', `W/${tagOf(before)}`, '"a,b" , W/"*"', '"*"', '""']) {
        for (const body of ['{"name":"changed"}', undefined]) {
          const reply = await change(id, ifMatch, body);
          expect([ifMatch, reply.status, codeOf(reply)]).toEqual([ifMatch, 412, "precondition_failed"]);
        }
      }
      expect((await get(`/pets/${id}`)).body).toBe(before.body);
      const weak = await change(id, `W/${tagOf(before)}`, '{"name":"changed"}');
      expect(JSON.parse(weak.body).message).toContain("without W/");
    });

    test("* matches any that exists, and one of several tags is enough", async () => {
      const id = await addPet();
      expect((await change(id, "*", '{"name":"a"}')).status).toBe(200);
      const tag = tagOf(await get(`/pets/${id}`));
      expect((await change(id, `"other", ,"a,b",${tag}`, '{"name":"b"}')).status).toBe(200);
      expect((await change(id, tagOf(await get(`/pets/${id}`)))).status).toBe(204);
    });

    test("404 comes first, then 412, then 409", async () => {
      for (const ifMatch of ["*", '"nope"']) {
        for (const body of ["{}", undefined]) expect((await change(999_999, ifMatch, body)).status).toBe(404);
      }
      const id = await addPet();
      await post("/store/orders", `{"petId":${id}}`);
      expect((await change(id, '"nope"')).status).toBe(412);
      expect((await change(id, "*")).status).toBe(409);
    });

    test("two writers with one tag, 200 rounds: one 200 and one 412, and the first one's change stays", async () => {
      const id = await addPet();
      let tag = tagOf(await get(`/pets/${id}`));
      for (let round = 0; round < 200; round++) {
        const names = [`a${round}`, `b${round}`];
        const replies = await Promise.all(names.map((name) => change(id, tag, `{"name":"${name}"}`)));
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
        const winner = replies.findIndex(({ status }) => status === 200);
        const now = await get(`/pets/${id}`);
        expect(JSON.parse(now.body).name).toBe(names[winner]);
        tag = tagOf(now);
      }
    });

    test("a change and a removal with one tag: only one of them happens", async () => {
      for (let round = 0; round < 20; round++) {
        const id = await addPet();
        const tag = tagOf(await get(`/pets/${id}`));
        const replies = await Promise.all([change(id, tag, '{"name":"kept"}'), change(id, tag)]);
        expect([
          [200, 412],
          [404, 204],
        ]).toContainEqual(replies.map(({ status }) => status));
      }
    });
  });

  describe("Idempotency-Key", () => {
    const countPets = async (categoryId: number) =>
      JSON.parse((await get(`/pets?limit=100&categoryId=${categoryId}`)).body).length;

    test("the same key and body replay the first answer, and do the work once", async () => {
      const headers = { "Idempotency-Key": "once-1" };
      const body = '{"name":"once","categoryId":1001}';
      const first = await post("/pets", body, headers);
      const again = await post("/pets", body, headers);
      const quoted = await post("/pets", body, { "Idempotency-Key": '"once-1"' });
      expect(first.status).toBe(201);
      expect(first.headers.get("Idempotent-Replayed")).toBeNull();
      for (const replay of [again, quoted]) {
        expect(replay.status).toBe(201);
        expect(replay.body).toBe(first.body);
        expect(replay.headers.get("Location")).toBe(first.headers.get("Location"));
        expect(replay.headers.get("Content-Type")).toBe("application/json");
        expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
      }
      expect(await countPets(1001)).toBe(1);
    });

    test("the same JSON value replays, however it is spaced, spelt and ordered", async () => {
      const headers = { "Idempotency-Key": "same-value" };
      const first = await post(
        "/pets",
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":2}]}',
        headers,
      );
      for (const body of [
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":2}]}',
        ' {\n"x" : [ {"b":2.0, "a":1e0} ],\t"categoryId":9007199254740993, "n\\u0061me":"\\u00e9" }\r\n',
      ]) {
        const again = await post("/pets", body, headers);
        expect([again.status, again.body]).toEqual([201, first.body]);
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      }
      for (const body of [
        '{"name":"é","categoryId":9007199254740992,"x":[{"a":1,"b":2}]}',
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":"2"}]}',
        '{"name":"é","categoryId":9007199254740993,"x":{"0":{"a":1,"b":2}}}',
        '{"name":"é","categoryId":9007199254740993}',
      ]) {
        const other = await post("/pets", body, headers);
        expect([other.status, codeOf(other)]).toEqual([422, "idempotency_key_reused"]);
      }
    });

    test("a record from before an upgrade replays: it has the SHA-256 of the bytes", async () => {
      const setFingerprint: Statement<[fingerprint: Uint8Array, key: string], undefined> = statement(
        "UPDATE idempotency_record SET fingerprint = $1 WHERE idempotency_key = $2",
        noRows,
      );
      const database = await openServed(server);
      try {
        for (const [path, body] of [
          ["/pets", '{ "name": "old", "categoryId": 1 }'],
          ["/store/orders", `{ "petId": ${await addPet()} }`],
        ] as const) {
          const headers = { "Idempotency-Key": `upgraded${path.replaceAll("/", "-")}` };
          const first = await post(path, body, headers);
          await database.run(setFingerprint, [sha256(Buffer.from(body)), headers["Idempotency-Key"]]);
          const again = await post(path, body, headers);
          expect([again.status, again.body]).toEqual([201, first.body]);
          expect((await post(path, body.replace("}", ', "x": 1}'), headers)).status).toBe(422);
        }
      } finally {
        await database.close();
      }
    });

    test("422 idempotency_key_reused for another body", async () => {
      const headers = { "Idempotency-Key": "once-2" };
      await post("/pets", '{"name":"a","categoryId":1002}', headers);
      const reply = await post("/pets", '{"name":"b","categoryId":1002}', headers);
      expect([reply.status, codeOf(reply)]).toEqual([422, "idempotency_key_reused"]);
      expect(await countPets(1002)).toBe(1);
    });

    test("16 at once add one animal; the others get the same answer, or 409 with Retry-After", async () => {
      for (let round = 0; round < 20; round++) {
        const body = `{"name":"sixteen","categoryId":${2000 + round}}`;
        const headers = { "Idempotency-Key": `sixteen-${round}` };
        const replies = await Promise.all(Array.from({ length: 16 }, () => post("/pets", body, headers)));
        const made = replies.filter((reply) => reply.status === 201);
        const refused = replies.filter((reply) => reply.status === 409);
        expect(made.length).toBeGreaterThanOrEqual(1);
        expect(made.length + refused.length).toBe(16);
        expect(new Set(made.map((reply) => reply.body)).size).toBe(1);
        expect(
          refused.every(
            (reply) =>
              codeOf(reply) === "idempotency_in_progress" && reply.headers.get("Retry-After") === "1",
          ),
        ).toBe(true);
        expect(await countPets(2000 + round)).toBe(1);
      }
    });

    test("is scoped to the account and the path", async () => {
      const headers = { "Idempotency-Key": "scoped" };
      const pet = await post("/pets", '{"name":"a","categoryId":1}', headers);
      const category = await post("/categories", '{"name":"a"}', headers);
      expect([pet.status, category.status]).toEqual([201, 201]);
      const second = await makeKey(server.store);
      const sameAccount = await send("POST", `${server.production}/pets`, {
        key: second,
        headers,
        body: '{"name":"a","categoryId":1}',
      });
      expect(sameAccount.body).toBe(pet.body);
    });

    test("works on every POST: an order completed twice is one completion", async () => {
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${await addPet()}}`)).body);
      const headers = { "Idempotency-Key": "complete" };
      const first = await post(`/store/orders/${id}/complete`, undefined, headers);
      const again = await post(`/store/orders/${id}/complete`, undefined, headers);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toBe(first.body);
      const message = { key, headers, body: '{"message":"x"}' };
      const sent = await send("POST", `${server.messages}/messages`, message);
      expect((await send("POST", `${server.messages}/messages`, message)).body).toBe(sent.body);
    });

    test("a body for an operation without one counts for the fingerprint, and has the size limit", async () => {
      const { id } = JSON.parse((await post("/store/orders", `{"petId":${await addPet()}}`)).body);
      const headers = { "Idempotency-Key": `unasked-${id}` };
      expect((await post(`/store/orders/${id}/complete`, '{"a":1}', headers)).status).toBe(200);
      expect((await post(`/store/orders/${id}/complete`, '{"a":1}', headers)).status).toBe(200);
      const other = await post(`/store/orders/${id}/complete`, '{"a":2}', headers);
      expect([other.status, codeOf(other)]).toEqual([422, "idempotency_key_reused"]);
      const large = await post(`/store/orders/${id}/complete`, " ".repeat(70_000));
      expect([large.status, codeOf(large)]).toEqual([413, "payload_too_large"]);
    });

    test("a refusal is not recorded: the same key can be used again", async () => {
      const petId = await addPet("sold");
      const headers = { "Idempotency-Key": "later" };
      expect((await post("/store/orders", `{"petId":${petId}}`, headers)).status).toBe(409);
      await send("PATCH", `${server.production}/pets/${petId}`, { key, body: '{"status":"available"}' });
      expect((await post("/store/orders", `{"petId":${petId}}`, headers)).status).toBe(201);
    });

    test("255 characters are accepted, quotes and backslashes not counted", async () => {
      const body = '{"name":"a","categoryId":1}';
      for (const [index, name] of [
        "a".repeat(255),
        `"${"a".repeat(255)}"`,
        `"${'\\"'.repeat(255)}"`,
      ].entries()) {
        const reply = await post("/pets", body, { "Idempotency-Key": name });
        expect(reply.status).toBe(201);
        expect(reply.headers.get("Idempotent-Replayed")).toBe(index === 1 ? "true" : null);
      }
    });
  });
});
