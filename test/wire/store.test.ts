import { describe, expect, test } from "bun:test";
import { isQuickRun } from "../quick-run.ts";
import { until } from "../until.ts";
import { nextOf, type Reply, send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  // Tests the ordinary use of animals, categories and orders.

  const COUNT = isQuickRun ? 200 : 1_000;
  const server = useStore();

  const codeOf = (reply: Reply) => reply.json.code;
  const messageOf = (reply: Reply) => reply.json.message;

  describe("paging", () => {
    test(`pages of 7 show each of ${COUNT} animals exactly once while others are added`, async () => {
      const first = new Set<number>();
      const addAll = async (count: number) =>
        Promise.all(Array.from({ length: count }, async () => first.add(await server.pet())));
      for (let batch = 0; batch < COUNT / 100; batch++) await addAll(100);
      expect(first.size).toBe(COUNT);

      const seen: number[] = [];
      let address: string | undefined = "/pets?limit=7";
      while (address !== undefined) {
        const [page]: [Reply, number] = await Promise.all([server.get(address), server.pet()]);
        seen.push(...page.json.map((pet: { id: number }) => pet.id));
        address = nextOf(page);
      }
      const seenOfFirst = seen.filter((id) => first.has(id));
      expect(seenOfFirst).toHaveLength(COUNT);
      expect(new Set(seenOfFirst).size).toBe(COUNT);
      expect(seen).toEqual([...seen].sort((a, b) => b - a));
    });

    test("a cursor of production is 400 invalid_cursor in staging, and the reverse", async () => {
      const stagingKey = await makeKey(server.store, { environment: "staging" });
      const production = { base: server.production, key: server.key };
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
          expect(other).toMatchObject({ status: 400, json: { code: "invalid_cursor" } });
        }
      }
    });
  });

  describe("updatePet: PATCH /pets/{petId}", () => {
    const patch = (petId: number, body: string, type = "application/merge-patch+json") =>
      server.send(`PATCH /pets/${petId}`, { body, headers: { "Content-Type": type } });

    test("changes the given members and leaves the others; null removes the status", async () => {
      const id = await server.pet({ status: "sold" });
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
      expect((await server.get(`/pets/${id}`)).body).toBe(
        `{"id":${id},"name":"Rex","categoryId":9223372036854775807}`,
      );
    });
  });

  describe("deletePet: DELETE /pets/{petId}", () => {
    test("leaves its complete orders", async () => {
      const petId = await server.pet();
      const id = await server.order(petId);
      await server.post(`/store/orders/${id}/complete`);
      expect((await server.send(`DELETE /pets/${petId}`)).status).toBe(204);
      expect((await server.get("/store/orders?limit=1")).json).toMatchObject([
        { id, petId, quantity: 1, shipDate: null, complete: true },
      ]);
    });
  });

  describe("orders", () => {
    test("contain the times at which they were placed and completed, like their events", async () => {
      const petId = await server.pet();
      const placed = await server.post(
        "/store/orders",
        `{"petId":${petId},"shipDate":"2026-12-24T18:00:00Z"}`,
      );
      const order = placed.json;
      expect(Object.keys(order)).toEqual(["id", "petId", "quantity", "shipDate", "complete", "createdAt"]);
      expect(order.shipDate).toBe("2026-12-24T18:00:00.000Z");
      const completed = await server.post(`/store/orders/${order.id}/complete`);
      const { completedAt, ...rest } = completed.json;
      expect(rest).toEqual({ ...order, complete: true });
      expect(completedAt >= order.createdAt).toBe(true);
      // On PostgreSQL, an event gets its number only some time after the commit.
      const read = async () => (await server.get("/events?type=order.completed&limit=1")).json[0];
      await until(async () => (await read())?.data.id === order.id);
      const event = await read();
      expect([event.data.completedAt, event.previous]).toEqual([
        completedAt,
        { complete: false, completedAt: null },
      ]);
    });

    test("listOrders filters by petId and complete on every page", async () => {
      const petId = await server.pet();
      const ids: number[] = [];
      for (let round = 0; round < 4; round++) {
        const id = await server.order(petId);
        ids.unshift(id);
        if (round === 3) break;
        await server.post(`/store/orders/${id}/complete`);
        await server.send(`PATCH /pets/${petId}`, { body: '{"status":"available"}' });
      }
      const idsOf = ({ json }: Reply) => json.map((order: { id: number }) => order.id);
      expect(idsOf(await server.get(`/store/orders?petId=${petId}`))).toEqual(ids);
      expect(idsOf(await server.get(`/store/orders?petId=${petId}&complete=false`))).toEqual(ids.slice(0, 1));
      const page = await server.get(`/store/orders?petId=${petId}&complete=true&limit=2`);
      expect(idsOf(page)).toEqual(ids.slice(1, 3));
      const next = nextOf(page) ?? "";
      expect(idsOf(await server.get(next))).toEqual(ids.slice(3));
      const cursor = new URL(next).searchParams.get("cursor");
      for (const other of ["", `&petId=${petId}`, `&petId=${petId}&complete=false`, "&complete=true"])
        expect(codeOf(await server.get(`/store/orders?cursor=${cursor}${other}`))).toBe("invalid_cursor");
      const open = (await server.get("/store/orders?complete=false&limit=100")).json;
      expect(new Set(open.map((order: { complete: boolean }) => order.complete))).toEqual(new Set([false]));
    });

    test("409 pet_not_available for an animal that is not available", async () => {
      const withoutStatus = await server.add("/pets", '{"name":"x","categoryId":1}');
      for (const [petId, reason] of [
        [await server.pet({ status: "sold" }), "it is sold"],
        [await server.pet({ status: "pending" }), "it is pending"],
        [withoutStatus, "it has no status"],
      ]) {
        const reply = await server.post("/store/orders", `{"petId":${petId}}`);
        expect(reply).toMatchObject({ status: 409, json: { code: "pet_not_available" } });
        expect(messageOf(reply)).toBe(`Animal ${petId} is not available: ${reason}.`);
      }
    });
  });

  describe("Idempotency-Key", () => {
    const countPets = async (categoryId: number) =>
      (await server.get(`/pets?limit=100&categoryId=${categoryId}`)).json.length;

    test("the same JSON value gets a replay, however it is spaced, spelt and ordered", async () => {
      const headers = { "Idempotency-Key": "same-value" };
      const first = await server.post(
        "/pets",
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":2}]}',
        headers,
      );
      for (const body of [
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":2}]}',
        ' {\n"x" : [ {"b":2.0, "a":1e0} ],\t"categoryId":9007199254740993, "n\\u0061me":"\\u00e9" }\r\n',
      ]) {
        const again = await server.post("/pets", body, headers);
        expect(again).toMatchObject({ status: 201, body: first.body });
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      }
      for (const body of [
        '{"name":"é","categoryId":9007199254740992,"x":[{"a":1,"b":2}]}',
        '{"name":"é","categoryId":9007199254740993,"x":[{"a":1,"b":"2"}]}',
        '{"name":"é","categoryId":9007199254740993,"x":{"0":{"a":1,"b":2}}}',
        '{"name":"é","categoryId":9007199254740993}',
      ]) {
        const other = await server.post("/pets", body, headers);
        expect(other).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
      }
    });

    test("adds one animal if 16 requests send it at the same time", async () => {
      for (let round = 0; round < (isQuickRun ? 5 : 20); round++) {
        const body = `{"name":"sixteen","categoryId":${2000 + round}}`;
        const headers = { "Idempotency-Key": `sixteen-${round}` };
        const replies = await Promise.all(
          Array.from({ length: 16 }, () => server.post("/pets", body, headers)),
        );
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
      const pet = await server.post("/pets", '{"name":"a","categoryId":1}', headers);
      const category = await server.post("/categories", '{"name":"a"}', headers);
      expect([pet.status, category.status]).toEqual([201, 201]);
      const key = await makeKey(server.store);
      const body = '{"name":"a","categoryId":1}';
      const sameAccount = await server.send("POST /pets", { key, headers, body });
      expect(sameAccount.body).toBe(pet.body);
    });

    test("can be used again after a refusal, which is not recorded", async () => {
      const petId = await server.pet({ status: "sold" });
      const headers = { "Idempotency-Key": "later" };
      expect((await server.post("/store/orders", `{"petId":${petId}}`, headers)).status).toBe(409);
      await server.send(`PATCH /pets/${petId}`, { body: '{"status":"available"}' });
      expect((await server.post("/store/orders", `{"petId":${petId}}`, headers)).status).toBe(201);
    });

    test("255 characters are accepted, quotes and backslashes not counted", async () => {
      const body = '{"name":"a","categoryId":1}';
      for (const [index, name] of [
        "a".repeat(255),
        `"${"a".repeat(255)}"`,
        `"${'\\"'.repeat(255)}"`,
      ].entries()) {
        const reply = await server.post("/pets", body, { "Idempotency-Key": name });
        expect(reply.status).toBe(201);
        expect(reply.headers.get("Idempotent-Replayed")).toBe(index === 1 ? "true" : null);
      }
    });
  });
});
