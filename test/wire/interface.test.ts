import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ startServer }) => {
  // Every rule of the operations, as a literal request and a literal answer.

  let server: Server;
  let key: string;

  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  const UNAUTHORIZED =
    '{"code":"unauthorized","message":"An API key is required: send it as Authorization: Bearer <API_KEY>.","status":401}';

  describe("an empty store", () => {
    test("lists nothing: an empty array", async () => {
      const reply = await send("GET", `${server.production}/pets`, { key });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("Content-Type")).toBe("application/json");
      expect(reply.headers.get("Link")).toBeNull();
      expect(reply.body).toBe("[]");
    });
  });

  describe("createPet: POST /pets", () => {
    test("201 with the Pet, its assigned id and a Location", async () => {
      const reply = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"Fluffy","categoryId":1,"status":"available"}',
      });
      expect(reply.status).toBe(201);
      expect(reply.headers.get("Content-Type")).toBe("application/json");
      expect(reply.headers.get("Location")).toBe(`${server.production}/pets/1`);
      expect(reply.body).toBe('{"id":1,"name":"Fluffy","categoryId":1,"status":"available"}');
    });

    for (const status of ["available", "pending", "sold"]) {
      test(`accepts the status ${status}`, async () => {
        const body = `{"name":"x","categoryId":1,"status":"${status}"}`;
        const reply = await send("POST", `${server.production}/pets`, { key, body });
        expect(reply.status).toBe(201);
        expect(JSON.parse(reply.body).status).toBe(status);
      });
    }

    test("without a status the animal has none, in the answer and in the list", async () => {
      const reply = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"Rex","categoryId":2}',
      });
      expect(reply.body).toBe('{"id":5,"name":"Rex","categoryId":2}');
      const read = await send("GET", `${server.production}/pets/5`, { key });
      expect(read.body).toBe('{"id":5,"name":"Rex","categoryId":2}');
    });

    const refused: [given: string, body: string, message: string][] = [
      ["no name", '{"categoryId":1}', "name is required"],
      ["no categoryId", '{"name":"x"}', "categoryId is required"],
      ["nothing at all", "{}", "name is required; categoryId is required"],
      ["a name that is a number", '{"name":1,"categoryId":1}', "name must be a string"],
      ["a name that is null", '{"name":null,"categoryId":1}', "name must be a string"],
      [
        "another status",
        '{"name":"x","categoryId":1,"status":"SOLD"}',
        "status must be one of available, pending, sold",
      ],
      [
        "a null status",
        '{"name":"x","categoryId":1,"status":null}',
        "status must be one of available, pending, sold",
      ],
      [
        "several wrong members",
        '{"name":"x","status":"gone"}',
        "categoryId is required; status must be one of available, pending, sold",
      ],
      ["an array", "[]", "The body must be a JSON object."],
      ["a string", '"x"', "The body must be a JSON object."],
      ["null", "null", "The body must be a JSON object."],
    ];
    for (const [given, body, message] of refused) {
      test(`400 for ${given}, with the reason`, async () => {
        const reply = await send("POST", `${server.production}/pets`, { key, body });
        expect(reply.status).toBe(400);
        expect(JSON.parse(reply.body)).toEqual({ code: "invalid_body", message, status: 400 });
      });
    }

    test("401 without a key", async () => {
      const reply = await send("POST", `${server.production}/pets`, { body: '{"name":"x","categoryId":1}' });
      expect(reply.status).toBe(401);
      expect(reply.body).toBe(UNAUTHORIZED);
    });

    test("unknown members are ignored and not stored", async () => {
      const body = '{"name":"x","categoryId":1,"id":77,"color":"red"}';
      const reply = await send("POST", `${server.production}/pets`, { key, body });
      expect(reply.status).toBe(201);
      expect(Object.keys(JSON.parse(reply.body))).toEqual(["id", "name", "categoryId"]);
      expect(JSON.parse(reply.body).id).not.toBe(77);
    });
  });

  describe("listPets: GET /pets", () => {
    let base: string;
    let listKey: string;
    let own: Server;

    beforeAll(async () => {
      own = await startServer();
      base = own.production;
      listKey = await makeKey(own.store);
      for (let number = 1; number <= 120; number++) {
        const status = ["available", "pending", "sold"][number % 3];
        await send("POST", `${base}/pets`, {
          key: listKey,
          body: `{"name":"p${number}","categoryId":${number % 2},"status":"${status}"}`,
        });
      }
    });
    afterAll(() => own.stop());

    async function list(query: string) {
      const reply = await send("GET", `${base}/pets${query}`, { key: listKey });
      return { reply, pets: reply.status === 200 ? JSON.parse(reply.body) : [] };
    }

    test("a bare array, newest first, of 20 by default", async () => {
      const { pets } = await list("");
      expect(pets).toHaveLength(20);
      expect(pets[0]).toEqual({ id: 120, name: "p120", categoryId: 0, status: "available" });
      expect(pets.map((pet: { id: number }) => pet.id)).toEqual(
        Array.from({ length: 20 }, (_, index) => 120 - index),
      );
    });

    for (const limit of [1, 2, 20, 99, 100]) {
      test(`limit=${limit} returns ${limit}`, async () => {
        expect((await list(`?limit=${limit}`)).pets).toHaveLength(limit);
      });
    }

    for (const status of ["available", "pending", "sold"]) {
      test(`status=${status} returns only those`, async () => {
        const { pets } = await list(`?status=${status}&limit=100`);
        expect(pets).toHaveLength(40);
        expect(pets.every((pet: { status: string }) => pet.status === status)).toBe(true);
      });
    }

    test("while more remain, Link has the next page's address, with the filters", async () => {
      const { reply } = await list("?limit=7&status=sold");
      const link = reply.headers.get("Link") ?? "";
      expect(link).toMatch(
        /^<http:\/\/localhost:\d+\/v1\/pets\?limit=7&status=sold&cursor=[\w-]+>; rel="next"$/,
      );
    });

    test("the last page has no Link", async () => {
      for (const limit of [100, 41, 40]) {
        const { reply, pets } = await list(`?limit=${limit}&status=sold`);
        expect(pets).toHaveLength(40);
        expect(reply.headers.get("Link")).toBeNull();
      }
      expect((await list("?limit=39&status=sold")).reply.headers.get("Link")).not.toBeNull();
    });

    test("a parameter's name may be percent-encoded, and the next page keeps its filter", async () => {
      const first = await list("?limit=50");
      const cursor = /cursor=([\w-]+)/.exec(first.reply.headers.get("Link") ?? "")?.[1];
      const second = await list(`?l%69mit=50&c%75rsor=${cursor}`);
      expect(second.pets[0].id).toBe(70);
      const next = /<([^>]+)>/.exec(second.reply.headers.get("Link") ?? "")?.[1] ?? "";
      const third = await send("GET", next, { key: listKey });
      expect(JSON.parse(third.body).map((pet: { id: number }) => pet.id)[0]).toBe(20);
    });

    test("filters by category and by identifiers, alone and together", async () => {
      const ids = async (query: string) => (await list(query)).pets.map((pet: { id: number }) => pet.id);
      expect(await ids("?categoryId=1&limit=3")).toEqual([119, 117, 115]);
      expect(await ids("?id=3,1,2,9999")).toEqual([3, 2, 1]);
      expect(await ids("?id=3,1,2&categoryId=1")).toEqual([3, 1]);
      expect(await ids("?categoryId=1&status=sold&limit=2")).toEqual([119, 113]);
      expect(await ids("?categoryId=9223372036854775807")).toEqual([]);
      expect(
        await ids(`?limit=100&id=${Array.from({ length: 100 }, (_, index) => index + 1).join(",")}`),
      ).toHaveLength(100);
    });

    test("identifiers may be repeated, and all that are given come on one page", async () => {
      const ids = async (query: string) => (await list(query)).pets.map((pet: { id: number }) => pet.id);
      expect(await ids("?id=1&id=2")).toEqual([2, 1]);
      expect(await ids("?id=1,2&categoryId=1&i%64=3")).toEqual([3, 1]);
      const given = Array.from({ length: 100 }, (_, index) => 100 - index);
      expect(await ids(`?id=${given.join(",")}`)).toEqual(given);
      expect(await ids(`?${given.map((id) => `id=${id}`).join("&")}`)).toEqual(given);
      const first = await list("?id=3&id=2&id=1&limit=2");
      expect(first.pets.map((pet: { id: number }) => pet.id)).toEqual([3, 2]);
      const next = /<([^>]+)>/.exec(first.reply.headers.get("Link") ?? "")?.[1] ?? "";
      expect(JSON.parse((await send("GET", next, { key: listKey })).body)[0].id).toBe(1);
    });

    for (const query of ["?limit=5&", "?&limit=5", "?limit=5&&status=sold", "?&", "?", "?=", "?=7&limit=5"]) {
      test(`a pair without a name is nothing: ${query}`, async () => {
        const { reply, pets } = await list(query);
        expect(reply.status).toBe(200);
        expect(pets).toHaveLength(query.includes("limit") ? 5 : 20);
      });
    }

    const LIMIT = "limit must be an integer from 1 to 100.";
    const refused: [query: string, message: string][] = [
      ["limit=0", LIMIT],
      ["limit=101", LIMIT],
      ["limit=-1", LIMIT],
      ["limit=1.5", LIMIT],
      ["limit=abc", LIMIT],
      ["limit=", LIMIT],
      ["limit", LIMIT],
      ["limit=%31%ff", LIMIT],
      ["limit=%2B5", LIMIT],
      ["limit=1e1", LIMIT],
      ["limit=٣", LIMIT],
      ["limit=5&limit=6", "limit must be given once."],
      ["status=SOLD", "status must be one of available, pending, sold."],
      ["status=", "status must be one of available, pending, sold."],
      ["categoryId=1.5", "categoryId must be a 64-bit integer."],
      ["categoryId=9223372036854775808", "categoryId must be a 64-bit integer."],
      ["id=1&id=", "id must be 1 to 100 comma-separated 64-bit integers."],
      ["id=&id=1", "id must be 1 to 100 comma-separated 64-bit integers."],
      ["id=1&id=2&limit=5&limit=5", "limit must be given once."],
      ["status=sold&status=sold", "status must be given once."],
      [
        Array.from({ length: 101 }, () => "id=1").join("&"),
        "id must be 1 to 100 comma-separated 64-bit integers.",
      ],
      ["id=1,,2", "id must be 1 to 100 comma-separated 64-bit integers."],
      [`id=${"1,".repeat(100)}1`, "id must be 1 to 100 comma-separated 64-bit integers."],
      [
        "stauts=sold",
        '"stauts" is not a query parameter here; this operation takes limit, status, categoryId, name, id, cursor.',
      ],
      [
        "__proto__=1",
        '"__proto__" is not a query parameter here; this operation takes limit, status, categoryId, name, id, cursor.',
      ],
    ];
    for (const [query, message] of refused) {
      test(`400 invalid_parameter for ?${query.slice(0, 40)}, naming the parameter`, async () => {
        const { reply } = await list(`?${query}`);
        expect(reply.status).toBe(400);
        expect(JSON.parse(reply.body)).toEqual({ code: "invalid_parameter", message, status: 400 });
      });
    }

    for (const cursor of ["x", "AAAAAAAAACg", "AAAAAAAAAAAAAAAAAAAAAA"]) {
      test(`400 invalid_cursor for the made-up cursor ${cursor}`, async () => {
        const { reply } = await list(`?cursor=${cursor}`);
        expect(reply.status).toBe(400);
        expect(JSON.parse(reply.body).code).toBe("invalid_cursor");
      });
    }

    test("400 invalid_cursor for a cursor of another query", async () => {
      const { reply } = await list("?limit=7&status=sold");
      const cursor = /cursor=([\w-]+)/.exec(reply.headers.get("Link") ?? "")?.[1];
      expect((await list(`?status=sold&cursor=${cursor}`)).reply.status).toBe(200);
      expect((await list(`?limit=50&status=sold&cursor=${cursor}`)).reply.status).toBe(200);
      const other = await list(`?status=pending&cursor=${cursor}`);
      expect(other.reply.status).toBe(400);
      expect(JSON.parse(other.reply.body).code).toBe("invalid_cursor");
    });

    test("401 without a key", async () => {
      const reply = await send("GET", `${base}/pets`);
      expect(reply.status).toBe(401);
      expect(reply.body).toBe(UNAUTHORIZED);
    });
  });

  describe("getPet: GET /pets/{petId}, deprecated", () => {
    test("200 with the Pet", async () => {
      const reply = await send("GET", `${server.production}/pets/1`, { key });
      expect(reply.status).toBe(200);
      expect(reply.body).toBe('{"id":1,"name":"Fluffy","categoryId":1,"status":"available"}');
    });

    test("every answer has Deprecation, Sunset and the successor", async () => {
      const origin = server.production.replace("/v1", "");
      for (const [path, headers, status, code] of [
        ["/pets/1", { Authorization: `Bearer ${key}` }, 200, undefined],
        ["/pets/999", { Authorization: `Bearer ${key}` }, 404, "not_found"],
        ["/pets/abc", { Authorization: `Bearer ${key}` }, 404, "not_found"],
        ["/pets/1?x=1", { Authorization: `Bearer ${key}` }, 400, "invalid_parameter"],
        ["/pets/1", {}, 401, "unauthorized"],
      ] as const) {
        const reply = await send("GET", server.production + path, { headers });
        expect(reply.status).toBe(status);
        expect(reply.headers.get("Deprecation")).toBe("@1767225600");
        expect(reply.headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
        const description =
          code === undefined ? "" : `<${origin}/docs/errors#${code}>; rel="describedby"; type="text/html", `;
        expect(reply.headers.get("Link")).toBe(
          `${description}<${origin}/docs/deprecations#getPet>; rel="deprecation"; type="text/html", ` +
            `<${origin}/docs/deprecations#getPet>; rel="sunset"; type="text/html", ` +
            `<${server.production}/pets>; rel="successor-version"`,
        );
      }
    });

    for (const petId of [
      "999",
      "0",
      "-1",
      "01",
      "1.0",
      "abc",
      "%31%ff",
      "9223372036854775808",
      "1%2F2",
      "%2531",
    ]) {
      test(`404 for ${petId}`, async () => {
        const reply = await send("GET", `${server.production}/pets/${petId}`, { key });
        expect(reply.status).toBe(404);
        expect(JSON.parse(reply.body)).toMatchObject({ code: "not_found", status: 404 });
      });
    }

    test("401 without a key", async () => {
      const reply = await send("GET", `${server.production}/pets/1`);
      expect(reply.status).toBe(401);
      expect(reply.body).toBe(UNAUTHORIZED);
    });
  });

  describe("submitMessage: POST /messages", () => {
    test("202 with id, message, status queued and createdAt", async () => {
      const reply = await send("POST", `${server.messages}/messages`, {
        key,
        body: '{"message":"Hello, World!"}',
      });
      expect(reply.status).toBe(202);
      const message = JSON.parse(reply.body);
      expect(Object.keys(message)).toEqual(["id", "message", "status", "createdAt"]);
      expect(message.id).toMatch(/^msg_[0-9A-Za-z]{22}$/);
      expect(message).toMatchObject({ message: "Hello, World!", status: "queued" });
      expect(message.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(reply.headers.get("Location")).toBe(`${server.messages}/messages/${message.id}`);
    });

    test("accepts a staging key as well", async () => {
      const staging = await makeKey(server.store, { environment: "staging" });
      const reply = await send("POST", `${server.messages}/messages`, {
        key: staging,
        body: '{"message":""}',
      });
      expect(reply.status).toBe(202);
    });

    test("401 when the key is absent, or the header is wrong", async () => {
      const body = '{"message":"x"}';
      expect((await send("POST", `${server.messages}/messages`, { body })).status).toBe(401);
      const wrong = { headers: { Authorization: key }, body };
      expect((await send("POST", `${server.messages}/messages`, wrong)).status).toBe(401);
    });

    const refused: [
      given: string,
      options: { body: string; headers?: Record<string, string> },
      code: string,
    ][] = [
      ["JSON that is not JSON", { body: "{" }, "invalid_json"],
      ["a missing message", { body: "{}" }, "invalid_body"],
      ["a message that is a number", { body: '{"message":5}' }, "invalid_body"],
      [
        "a missing Content-Type",
        { body: '{"message":"x"}', headers: { "Content-Type": "none" } },
        "content_type_missing",
      ],
    ];
    for (const [given, options, code] of refused) {
      test(`400 ${code} for ${given}`, async () => {
        const reply = await send("POST", `${server.messages}/messages`, { key, ...options });
        expect(reply.status).toBe(400);
        expect(JSON.parse(reply.body)).toMatchObject({ code, status: 400 });
      });
    }
  });

  describe("environments", () => {
    test("nothing written in staging is visible in production", async () => {
      const own = await startServer();
      const production = await makeKey(own.store);
      const staging = await makeKey(own.store, { environment: "staging" });
      const reply = await send("POST", `${own.staging}/pets`, {
        key: staging,
        body: '{"name":"only here","categoryId":1}',
      });
      expect(reply.status).toBe(201);
      expect((await send("GET", `${own.production}/pets`, { key: production })).body).toBe("[]");
      expect((await send("GET", `${own.staging}/pets`, { key: staging })).body).toContain("only here");
      await own.stop();
    });
  });
});
