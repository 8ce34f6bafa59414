import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signUp } from "./browser-session.ts";
import { openProduction } from "./events.ts";
import { type Reply, send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

interface ListedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: { readonly id: number; readonly name?: string };
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
}

onBothEngines(({ useStore }) => {
  const server = useStore();
  let stagingKey: string;
  let database: Awaited<ReturnType<typeof openProduction>>;
  beforeAll(async () => {
    stagingKey = await makeKey(server.store, { environment: "staging" });
    database = await openProduction(server);
  });
  afterAll(() => database.close());

  const get = (query: string) => server.get(`/events${query}`);
  const eventsOf = (reply: Reply): readonly ListedEvent[] => reply.json;
  const nextOf = (reply: Reply) => /<[^>]*(\?[^>]+)>; rel="next"/.exec(reply.headers.get("Link") ?? "")?.[1];
  const codeOf = (reply: Reply) => [reply.status, reply.json.code];

  async function follow(query: string) {
    const events: ListedEvent[] = [];
    let next = query;
    for (;;) {
      const reply = await get(next);
      expect(reply.status).toBe(200);
      events.push(...eventsOf(reply));
      const after = nextOf(reply);
      if (reply.body === "[]" || after === undefined) return events;
      next = after;
    }
  }

  describe("GET /events", () => {
    test("gives an empty log a next page, which later has the first event", async () => {
      const empty = await get("?order=asc");
      expect(empty).toMatchObject({ status: 200, body: "[]" });
      expect((await get("")).headers.get("Link")).toBeNull();
      const petId = await server.pet({ name: "first" });
      const [event] = eventsOf(await get(nextOf(empty) ?? ""));
      expect(event).toMatchObject({
        type: "pet.created",
        environment: "production",
        actor: { kind: "key" },
        data: { id: petId, name: "first", categoryId: 1, status: "available" },
      });
      expect(Object.keys(event ?? {})).toEqual([
        ...["id", "type", "createdAt", "environment", "actor", "requestId", "data"],
      ]);
    });

    test("lists events newest first or oldest first, and each page leads to the next", async () => {
      const petId = await server.pet({ name: "ordered" });
      const { id } = (await server.post("/store/orders", `{"petId":${petId}}`)).json;
      await server.post(`/store/orders/${id}/complete`);
      const types = ["pet.created", "order.placed", "pet.updated", "order.completed", "pet.updated"];
      const upwards = await follow("?order=asc&limit=2");
      expect(upwards.slice(-5).map(({ type }) => type)).toEqual(types);
      const downwards = await follow("?limit=2");
      expect(downwards).toEqual(upwards.toReversed());
      expect(upwards.map((event) => event.id)).toEqual(upwards.map((_, index) => index + 1));
      expect(eventsOf(await get("?order=desc&limit=3"))).toEqual(downwards.slice(0, 3));
      const last = eventsOf(await get("?limit=1"))[0];
      expect(last).toMatchObject({ data: { status: "sold" }, previous: { status: "pending" } });
    });

    test("filters by one or several types, and by an animal together with its orders", async () => {
      const petId = await server.pet({ name: "filtered" });
      await server.post("/categories", '{"name":"Cats"}');
      await server.post("/store/orders", `{"petId":${petId}}`);
      await server.pet({ name: "another" });
      const all = await follow("?order=asc&limit=100");
      const expected = (types: readonly string[] | undefined, onlyPet: boolean) =>
        all.filter(
          ({ type, data }) =>
            (types?.includes(type) ?? true) &&
            (!onlyPet || ("petId" in data ? data.petId : type.startsWith("pet.") && data.id) === petId),
        );
      for (const types of [
        undefined,
        ["pet.created"],
        ["category.created", "order.placed"],
        ["pet.updated", "pet.created", "order.placed"],
      ])
        for (const onlyPet of [false, true])
          for (const limit of [1, 100]) {
            const filters = [types && `type=${types}`, onlyPet && `petId=${petId}`, `limit=${limit}`];
            const query = filters.filter(Boolean).join("&");
            const found = expected(types, onlyPet);
            expect([query, await follow(`?order=asc&${query}`)]).toEqual([query, [...found]]);
            expect([query, await follow(`?${query}`)]).toEqual([query, found.toReversed()]);
          }
      const repeated = await get("?type=order.placed&type=category.created");
      expect(repeated.body).toBe((await get("?type=category.created,order.placed")).body);
    });

    test("400 for a cursor of another query, another order or the other environment", async () => {
      const next = nextOf(await get("?order=asc&limit=1")) ?? "";
      const cursor = new URLSearchParams(next).get("cursor");
      for (const query of ["", "order=asc&type=pet.created", "order=asc&petId=1", "order=desc"])
        expect([query, ...codeOf(await get(`?${query}&cursor=${cursor}`))]).toEqual([
          ...[query, 400, "invalid_cursor"],
        ]);
      const staging = await send("GET", `${server.staging}/events${next}`, { key: stagingKey });
      expect(staging).toMatchObject({ status: 400, json: { code: "invalid_cursor" } });
      expect((await get(next)).status).toBe(200);
    });

    test("accepts a read key, and supports HEAD and If-None-Match", async () => {
      const readKey = await makeKey(server.store, { access: "read" });
      const address = `${server.production}/events?order=asc&limit=3`;
      const reply = await send("GET", address, { key: readKey });
      expect([reply.status, reply.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
      const head = await send("HEAD", address, { key: readKey });
      expect([head.body, head.headers.get("ETag")]).toEqual(["", reply.headers.get("ETag")]);
      const headers = { "If-None-Match": reply.headers.get("ETag") ?? "" };
      for (let time = 0; time < 3; time++) {
        const again = await send("GET", address, { key: readKey, headers });
        expect([again.status, again.headers.get("Link")]).toEqual([304, reply.headers.get("Link")]);
      }
    });

    test("shows staging only the events of staging", async () => {
      const reply = await send("GET", `${server.staging}/events?order=asc`, { key: stagingKey });
      expect(reply).toMatchObject({ status: 200, body: "[]" });
    });

    test("shows the addresses of people only in the console", async () => {
      const ada = await signUp(server, "ada@example.com");
      const added = await ada.call("POST /pets", { name: "by ada", categoryId: 1 });
      expect(added.status).toBe(201);
      const [own] = eventsOf(await get("?limit=1"));
      expect(own?.actor).toEqual({ kind: "person", id: expect.stringMatching(/^\d+$/), name: "" });
      const inConsole = await ada.call("GET /events?limit=100");
      const [shown, before] = eventsOf(inConsole);
      expect(shown?.actor).toEqual({ kind: "person", id: own?.actor.id ?? "", name: "ada@example.com" });
      expect(before?.actor.kind).toBe("key");
      const bob = await signUp(server, "bob@example.com");
      expect((await bob.call("POST /pets", { name: "by bob", categoryId: 1 })).status).toBe(201);
      expect((await bob.call("POST /account/delete", { password: "nine gentle otters" })).status).toBe(204);
      const [last] = eventsOf(await ada.call("GET /events?limit=1"));
      expect([last?.data.name, last?.actor.name]).toEqual(["by bob", "removed account"]);
    });

    // The next test deletes events, so it must be the last one.
    test("410 once the events behind a cursor have been deleted, and not before", async () => {
      const first = nextOf(await get("?order=asc&limit=1")) ?? "";
      const second = nextOf(await get("?order=asc&limit=2")) ?? "";
      const rare = nextOf(await get("?order=asc&type=category.deleted")) ?? "";
      const [newest] = eventsOf(await get("?limit=1"));
      await database.prune(2);
      expect(await get(first)).toMatchObject({ status: 410, json: { code: "cursor_expired" } });
      expect(eventsOf(await get(second))[0]?.id).toBe(3);
      expect(eventsOf(await get("?order=asc&limit=1"))[0]?.id).toBe(3);
      const id = await server.pet({ name: "after" });
      await database.prune(newest?.id ?? 0);
      expect(await get(second)).toMatchObject({ status: 410, json: { code: "cursor_expired" } });
      // The cursor has moved forward with the event log, so it is still valid, although the log no longer has events of the
      // cursor's type.
      expect((await get(rare)).status).toBe(200);
      expect((await follow("?limit=1")).map(({ data }) => data.id)).toEqual([id]);
    });
  });
});
