import { expect, test } from "bun:test";
import { signUp } from "./wire/browser-session.ts";
import { type Reply, type SendOptions, send } from "./wire/send.ts";
import { makeKey, onBothEngines } from "./wire/server.ts";

// Tests each numbered sentence of docs/interface.md, in the order of that document.

const PAGE = await Bun.file(new URL("../docs/interface.md", import.meta.url)).text();
const SENTENCES = new Map(
  [...PAGE.matchAll(/^- \*\*(\d+\.\d+)\*\* (.+)$/gm)].map(([, no = "", text]) => [no, text]),
);

const PET = '{"name":"Fluffy","categoryId":1,"status":"available"}';
const STATUSES = ["available", "pending", "sold"];
const MAX = "9223372036854775807";
/** The most common requests. Their paths are relative to the base address of production or staging. */
const OPERATIONS = ["GET /pets", "POST /pets", "GET /pets/1", "GET /store/orders"];

onBothEngines(
  ({ useStore }) => {
    const store = useStore();
    const proven: string[] = [];
    const promise = (no: string, prove: () => Promise<unknown>) => {
      proven.push(no);
      test(`${no} ${SENTENCES.get(no)}`, async () => void (await prove()));
    };

    const list = async (query = ""): Promise<{ id: number; status?: string }[]> =>
      (await store.get(`/pets${query}`)).json;
    const add = async (body = PET) => (await store.post("/pets", body)).json;
    const message = (body: string, options: SendOptions = {}) =>
      send("POST", `${store.messages}/messages`, { key: store.key, body, ...options });
    const documentOf = async (base = store.production) =>
      (await send("GET", `${new URL(base).origin}/openapi.json`)).json;
    const everyOperation = (options: SendOptions) =>
      Promise.all([
        ...OPERATIONS.map((request) => {
          const [method = "", path] = request.split(" ");
          const body = method === "POST" ? { body: PET } : {};
          return send(method, store.production + path, { ...body, ...options });
        }),
        send("POST", `${store.messages}/messages`, { body: '{"message":"x"}', ...options }),
      ]);
    const expectRefused = (reply: Reply, status: number) => {
      expect([reply.status, reply.headers.get("Content-Type")]).toEqual([status, "application/json"]);
      expect(reply.json).toEqual({ code: expect.any(String), message: expect.any(String), status });
    };
    const expectAllRefused = async (options: SendOptions) => {
      for (const reply of await everyOperation(options)) expectRefused(reply, 401);
    };

    promise("1.1", async () => {
      const added = await store.post("/pets", PET);
      const found = await store.get(`/pets/${added.json.id}`);
      const listed = await store.get("/pets");
      expect([added, found, listed].map(({ status }) => status)).toEqual([201, 200, 200]);
      expect([found.body, listed.body]).toEqual([added.body, `[${added.body}]`]);
    });
    promise("1.2", async () => {
      for (const reply of await everyOperation({ key: store.key }))
        expect(reply.headers.get("Content-Type")).toBe("application/json");
    });
    promise("1.3", async () => {
      const { paths } = await documentOf();
      const { get, post } = paths["/pets"];
      const ids = [get, post, paths["/pets/{petId}"].get].map(({ operationId }) => operationId);
      expect(ids).toEqual(["listPets", "createPet", "getPet"]);
    });
    promise("1.4", async () => {
      const { paths, tags } = await documentOf();
      expect(tags.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(["Pets", "Store"]),
      );
      expect([paths["/pets"].get.tags, paths["/store/orders"].get.tags]).toEqual([["Pets"], ["Store"]]);
    });

    promise("2.1", async () => {
      const person = await signUp(store, "ada@example.com");
      const made = await person.call("POST /keys", { name: "till" });
      expect([made.status, made.body]).toEqual([201, expect.stringContaining('"token":"pet_live_')]);
      expect((await store.send("GET /pets", { key: made.json.token })).status).toBe(200);
    });
    promise("2.2", async () => {
      const headers = { Authorization: `Bearer ${store.key}` };
      for (const { status } of await everyOperation({ headers })) expect(status).toBeOneOf([200, 201, 202]);
    });
    promise("2.3", () => expectAllRefused({}));
    promise("2.4", () => expectAllRefused({ key: `${store.key}x` }));
    promise("2.5", async () => {
      for (const Authorization of [store.key, `Basic ${store.key}`, "Bearer"])
        await expectAllRefused({ headers: { Authorization } });
    });

    promise("3.1", async () =>
      expect(Object.keys(await add())).toEqual(["id", "name", "categoryId", "status"]),
    );
    promise("3.2", async () => {
      const ids = (await Promise.all(Array.from({ length: 10 }, () => add()))).map(({ id }) => id);
      expect([new Set(ids).size, ids.every(Number.isSafeInteger)]).toEqual([10, true]);
    });
    promise("3.3", async () => {
      for (const name of ["", "  Fluffy  ", "שלום 🐈", `<b>"'\\`])
        expect((await add(JSON.stringify({ name, categoryId: 1 }))).name).toBe(name);
    });
    promise("3.4", async () => {
      for (const categoryId of ["9007199254740993", MAX, "-9223372036854775808"]) {
        const { body } = await store.post("/pets", `{"name":"x","categoryId":${categoryId}}`);
        expect(body).toEndWith(`"categoryId":${categoryId}}`);
      }
    });
    promise("3.5", async () => {
      for (const status of STATUSES)
        expect((await add(`{"name":"x","categoryId":1,"status":"${status}"}`)).status).toBe(status);
    });
    promise("3.6", async () => {
      const { id, ...rest } = await add('{"name":"Rex","categoryId":2}');
      expect(rest).toEqual({ name: "Rex", categoryId: 2 });
      expect(await list(`?id=${id}`)).toEqual([{ id, ...rest }]);
    });

    promise("4.1", async () => {
      const { status, json } = await store.get("/pets");
      expect([status, Array.isArray(json)]).toEqual([200, true]);
    });
    promise("4.2", async () => {
      const key = await makeKey(store.store, { environment: "staging" });
      expect((await send("GET", `${store.staging}/pets`, { key })).body).toBe("[]");
    });
    promise("4.3", async () => {
      await Promise.all(Array.from({ length: 101 }, () => add()));
      for (const limit of [1, 2, 99, 100]) expect(await list(`?limit=${limit}`)).toHaveLength(limit);
    });
    promise("4.4", async () => {
      await Promise.all(Array.from({ length: 21 }, () => add()));
      expect(await list()).toHaveLength(20);
    });
    promise("4.5", async () => {
      for (const limit of ["0", "101", "-1"]) expectRefused(await store.get(`/pets?limit=${limit}`), 400);
    });
    promise("4.6", async () => {
      for (const status of STATUSES) {
        await add(`{"name":"x","categoryId":1,"status":"${status}"}`);
        const listed = await list(`?status=${status}&limit=100`);
        expect(new Set(listed.map((pet) => pet.status))).toEqual(new Set([status]));
      }
    });
    promise("4.7", async () => expectRefused(await store.get("/pets?status=gone"), 400));
    promise("4.8", async () => {
      const ids: number[] = [];
      for (let next: string | undefined = `${store.production}/pets?limit=50`; next !== undefined; ) {
        const page: Reply = await send("GET", next, { key: store.key });
        ids.push(...page.json.map(({ id }: { id: number }) => id));
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
      }
      const { id: count } = await add();
      expect(ids).toEqual(Array.from({ length: count - 1 }, (_, index) => count - 1 - index));
    });

    promise("5.1", async () => {
      const { status, headers, json } = await store.post("/pets", PET);
      const { id, ...pet } = json;
      expect([status, id, pet]).toEqual([201, expect.any(Number), JSON.parse(PET)]);
      expect(headers.get("Location")).toBe(`${store.production}/pets/${id}`);
    });
    promise("5.2", async () => {
      const pet = await add();
      expect(await list("?limit=1")).toEqual([pet]);
    });
    promise("5.3", async () => expectRefused(await store.post("/pets", '{"categoryId":1}'), 400));
    promise("5.4", async () => expectRefused(await store.post("/pets", '{"name":"x"}'), 400));
    promise("5.5", async () => {
      for (const wrong of [{ name: 1 }, { categoryId: "1" }, { categoryId: 1.5 }, { status: "gone" }])
        expectRefused(await store.post("/pets", JSON.stringify({ ...JSON.parse(PET), ...wrong })), 400);
    });
    promise("5.6", async () => expectRefused(await store.post("/pets", ""), 400));
    promise("5.7", async () => {
      const before = await list("?limit=1");
      for (const body of ["{}", "[]", "{", PET.replace("available", "gone")])
        expectRefused(await store.post("/pets", body), 400);
      expect(await list("?limit=1")).toEqual(before);
    });

    promise("6.1", async () => {
      const pet = await add();
      const { status, json } = await store.get(`/pets/${pet.id}`);
      expect([status, json]).toEqual([200, pet]);
    });
    promise("6.2", async () => expectRefused(await store.get("/pets/999999"), 404));
    promise("6.3", async () => {
      const { paths, components } = await documentOf();
      expect(paths["/pets/{petId}"].get.parameters[0]).toEqual({ $ref: "#/components/parameters/PetId" });
      expect(components.parameters.PetId).toMatchObject({
        name: "petId",
        schema: { type: "integer", format: "int64" },
      });
      for (const petId of [MAX, "-9223372036854775808", "0"])
        expectRefused(await store.get(`/pets/${petId}`), 404);
    });
    promise("6.4", async () => {
      const { deprecated } = (await documentOf()).paths["/pets/{petId}"].get;
      const { headers } = await store.get("/pets/1");
      expect([deprecated, headers.get("Deprecation")]).toEqual([true, "@1767225600"]);
    });
    promise("6.5", async () => {
      const { get } = (await documentOf()).paths["/pets/{petId}"];
      const { headers } = await store.get("/pets/1");
      expect([get["x-deprecated-sunset"], get.description]).toEqual([
        "2030-12-05",
        expect.stringContaining("5 December 2030"),
      ]);
      expect(headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
    });
    promise("6.6", async () => {
      const { description } = (await documentOf()).paths["/pets/{petId}"].get;
      const { headers } = await store.get("/pets/1");
      expect(description).toContain("`GET /pets` with the `status` filter");
      expect(headers.get("Link")).toContain(`<${store.production}/pets>; rel="successor-version"`);
    });

    promise("7.1", async () => {
      const { id: petId } = await add();
      const placed = await store.post("/store/orders", `{"petId":${petId}}`);
      const { status, body } = await store.get("/store/orders");
      expect([status, body]).toEqual([200, `[${placed.body}]`]);
    });
    promise("7.2", async () => {
      const { body } = await send("GET", `${new URL(store.production).origin}/docs`);
      const hasPanel = (id: string) =>
        new RegExp(`<article aria-labelledby="${id}">(.*?)</article>`, "s")
          .exec(body)?.[1]
          ?.includes('class="send try"');
      expect([hasPanel("listPets"), hasPanel("listOrders")]).toEqual([true, false]);
      expect((await documentOf()).paths["/store/orders"].get["x-hideTryItPanel"]).toBe(true);
    });

    promise("8.1", async () => {
      expect(new Set([store.messages, store.production, store.staging]).size).toBe(3);
      expectRefused(await store.post("/messages", '{"message":"x"}'), 404);
    });
    promise("8.2", async () => expect((await message('{"message":"x"}')).status).toBe(202));
    promise("8.3", async () => {
      const { json, headers } = await message('{"message":"x"}');
      const { id, ...rest } = json;
      expect([id, Object.keys(rest)]).toEqual([
        expect.stringMatching(/^msg_[0-9A-Za-z]{22}$/),
        ["message", "status", "createdAt"],
      ]);
      expect(headers.get("Location")).toBe(`${store.messages}/messages/${id}`);
    });
    promise("8.4", async () =>
      expect((await message('{"message":"Hello, World! 🐈"}')).json.message).toBe("Hello, World! 🐈"),
    );
    promise("8.5", async () => expect((await message('{"message":"x"}')).json.status).toBe("queued"));
    promise("8.6", async () =>
      expect((await message('{"message":"x"}')).json.createdAt).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      ),
    );
    promise("8.7", async () => expectRefused(await message("{"), 400));
    promise("8.8", async () => expectRefused(await message("{}"), 400));
    promise("8.9", async () =>
      expectRefused(await message('{"message":"x"}', { headers: { "Content-Type": "none" } }), 400),
    );

    const refused = () =>
      Promise.all([
        ...["/pets?limit=0", "/pets/999999", "/nowhere"].map((path) => store.get(path)),
        store.post("/pets", "{}"),
        send("GET", `${store.production}/pets`),
        message("{}"),
      ]);
    promise("9.1", async () => {
      for (const reply of await refused())
        expect(Object.keys(reply.json).sort()).toEqual(["code", "message", "status"]);
    });
    promise("9.2", async () => {
      for (const reply of await refused()) {
        expect(reply.json.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
        expect(reply.json.message).toMatch(/\w+ \w+/);
      }
    });
    promise("9.3", async () => {
      const replies = await refused();
      expect(replies.map((reply) => reply.json.status)).toEqual(replies.map(({ status }) => status));
      expect(replies.map(({ status }) => status)).toEqual([400, 404, 404, 400, 401, 400]);
    });

    promise("10.1", async () => {
      const key = await makeKey(store.store, { environment: "staging" });
      expect(store.production).not.toBe(store.staging);
      for (const [base, own] of [
        [store.production, store.key],
        [store.staging, key],
      ] as const)
        expect((await send("GET", `${base}/pets`, { key: own })).status).toBe(200);
    });
    promise("10.2", async () => {
      for (const base of [store.production, store.staging]) expect(base).toEndWith("/v1");
    });
    promise("10.3", async () => {
      const key = await makeKey(store.store, { environment: "staging" });
      const staged = () => send("GET", `${store.staging}/pets`, { key });
      expect((await staged()).body).toBe("[]");
      const before = await list();
      const { body } = await send("POST", `${store.staging}/pets`, { key, body: PET });
      expect((await staged()).body).toBe(`[${body}]`);
      expect(await list()).toEqual(before);
    });
    promise("10.4", async () => {
      for (const base of [store.production, store.staging])
        expect((await documentOf(base)).info.version).toBe("1.0.0");
    });

    test("every sentence of docs/interface.md has one test, and every test a sentence", () =>
      expect(proven).toEqual([...SENTENCES.keys()]));
  },
  { always: true },
);
