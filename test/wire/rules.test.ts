import { beforeAll, describe, expect, test } from "bun:test";
import { describedOperations } from "../conformity/document.ts";
import { petstore } from "./process.ts";
import { untilRefused } from "./revocation.ts";
import { type Reply, send, sendLines, sendRaw } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  // Tests the rules that apply to every API request, in the order in which the service checks them.

  const server = useStore({ env: { PETSTORE_MAX_BODY_BYTES: "2000" } });
  let readKey: string;
  let stagingKey: string;
  const PET = '{"name":"x","categoryId":1}';

  beforeAll(async () => {
    readKey = await makeKey(server.store, { access: "read" });
    stagingKey = await makeKey(server.store, { environment: "staging" });
    await post(PET);
  });
  const post = (body: string | Uint8Array, headers = {}) => server.post("/pets", body, headers);

  const sendChunked = (requestLine: string, chunks: string, lines = "") =>
    sendRaw(
      server.production,
      `${requestLine} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n${lines}` +
        `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}`,
    );

  /**
   * Asserts that a response is an error in the common form: a body with `code`, `message` and `status`, the header `nosniff`, and a
   * link to an explanation.
   */
  function expectError(reply: Reply, status: number, code: string): void {
    expect(reply.status).toBe(status);
    expect(reply.headers.get("Content-Type")).toBe("application/json");
    expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(reply.headers.get("X-Request-Id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(reply.headers.get("Link")).toContain(`/docs/errors#${code}>; rel="describedby"; type="text/html"`);
    const error = reply.json;
    expect(Object.keys(error)).toEqual(["code", "message", "status"]);
    expect(error.code).toBe(code);
    expect(error.status).toBe(status);
    expect(error.message.length).toBeGreaterThan(0);
  }

  describe("1. a usable Host", () => {
    test("an invalid Host, and a second Host, get 400 invalid_request", async () => {
      for (const host of ["a b", "", "a:99999", "a/b", "<x>", "[::1", "a,b", "a\r\nHost: b"]) {
        const lines = [`Host: ${host}`, `Authorization: Bearer ${server.key}`];
        expectError(await sendLines(server.production, "GET /v1/pets", lines), 400, "invalid_request");
      }
    });

    for (const host of ["petstore.example.com", "127.0.0.1:8080", "[::1]:8080", "my_shop"]) {
      test(`${host} is a valid host, and links use it`, async () => {
        const lines = [`Host: ${host}`, `Authorization: Bearer ${server.key}`];
        const reply = await sendLines(server.production, "GET /v1/pets/1", lines);
        expect(reply.status).toBe(200);
        expect(reply.headers.get("Link")).toContain(`<http://${host}/v1/pets>`);
      });
    }
  });

  describe("2. authentication comes first, on every path", () => {
    test("401 without a key, whatever is requested", async () => {
      const rest = ["GET /v1/nowhere", "PUT /v1/pets", "GET /nowhere", "OPTIONS /v1/pets"];
      for (const requestLine of ["GET /v1/pets", "POST /v1/pets", ...rest]) {
        const reply = await sendLines(server.production, requestLine, ["Host: localhost"]);
        expectError(reply, 401, "unauthorized");
        expect(reply.headers.get("WWW-Authenticate")).toBe('Bearer realm="petstore"');
      }
    });

    const INVALID =
      'Bearer realm="petstore", error="invalid_token", error_description="The API key is invalid, expired or revoked"';
    const MALFORMED =
      'Bearer realm="petstore", error="invalid_request", error_description="The header must be: Bearer <API_KEY>"';
    const challenged: [given: string, authorization: () => string, challenge: string][] = [
      ["another scheme", () => `Basic ${server.key}`, 'Bearer realm="petstore"'],
      ["a bare key", () => server.key, 'Bearer realm="petstore"'],
      ["an empty key", () => "Bearer ", MALFORMED],
      ["two keys", () => `Bearer ${server.key} ${server.key}`, MALFORMED],
      ["what is not a key", () => "Bearer abc", INVALID],
      [
        "a bad checksum",
        () => `Bearer ${server.key.slice(0, -1)}${server.key.endsWith("a") ? "b" : "a"}`,
        INVALID,
      ],
      [
        "a mistyped secret",
        () => `Bearer ${server.key.slice(0, 20)}${server.key[20] === "a" ? "b" : "a"}${server.key.slice(21)}`,
        INVALID,
      ],
      ["a staging key", () => `Bearer ${stagingKey}`, INVALID],
    ];
    for (const [given, authorization, challenge] of challenged) {
      test(`401 for ${given}, even on unknown paths`, async () => {
        for (const path of ["/pets", "/nowhere"]) {
          const headers = { Authorization: authorization() };
          const reply = await send("GET", server.production + path, { headers });
          expectError(reply, 401, "unauthorized");
          expect(reply.headers.get("WWW-Authenticate")).toBe(challenge);
        }
      });
    }

    test("the scheme's name may be in any case", async () => {
      const headers = { Authorization: `bEARER ${server.key}` };
      expect((await send("GET", `${server.production}/pets`, { headers })).status).toBe(200);
    });

    test("a key of the other environment is refused, with the name of its environment", async () => {
      const atProduction = await send("GET", `${server.production}/pets`, { key: stagingKey });
      expect(atProduction.json.message).toBe("This API key is for staging, but this service is production.");
      const atStaging = await send("GET", `${server.staging}/pets`, { key: server.key });
      expect(atStaging.status).toBe(401);
      expect(atStaging.json.message).toBe("This API key is for production, but this service is staging.");
    });

    test("a key that another process revokes is refused while it is in use", async () => {
      const create = ["keys", "create", "--environment", "production", "--json"];
      const created = await petstore(server.store, create);
      const { id, key: doomed } = JSON.parse(created.out);
      expect((await send("GET", `${server.production}/pets`, { key: doomed })).status).toBe(200);
      expect((await petstore(server.store, ["keys", "revoke", id])).code).toBe(0);
      const { reply } = await untilRefused(server.production, doomed);
      expectError(reply, 401, "unauthorized");
    });

    test("no key is needed for the document, the probes, the pages and preflights", async () => {
      const origin = server.production.replace("/v1", "");
      for (const path of [
        ...["/openapi.json", "/healthz", "/readyz", "/", "/favicon.ico", "/.well-known/api-catalog"],
        ...["/docs", "/docs/client.js", "/docs/errors", "/docs/deprecations", "/docs/files/alerts.yml"],
        ...["/docs/guides", "/docs/guides/first-call"],
      ]) {
        expect((await send("GET", origin + path)).status).toBe(200);
        expect((await send("HEAD", origin + path)).status).toBe(200);
        const preflight = await send("OPTIONS", origin + path, {
          headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" },
        });
        expect(preflight.status).toBe(204);
        expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("X-Request-Id");
        const reply = await send("POST", origin + path);
        expectError(reply, 405, "method_not_allowed");
        expect(reply.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
      }
    });
  });

  describe("3. the path, then the method", () => {
    test("an unknown path gets 404 not_found", async () => {
      const others = ["/Pets", "//pets", "/store", "", "/pets/%ff", "/%00"];
      for (const path of ["/nowhere", "/pets/", "/pets/1/2", ...others])
        expectError(await send("GET", server.production + path, { key: server.key }), 404, "not_found");
    });

    test("405 lists exactly the document's methods, with HEAD beside GET, and OPTIONS", async () => {
      const documented = (await describedOperations()).filter(({ service }) => service === "production");
      for (const [path, operations] of Map.groupBy(documented, ({ path }) => path.replace(/\{\w+\}/g, "1"))) {
        const methods = operations.map(({ method }) => method);
        const allowed = new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
        const allow = [...allowed].sort().join(", ");
        for (const method of ["PUT", "GET", "POST", "PATCH", "DELETE"].filter(
          (method) => !allowed.has(method),
        )) {
          const reply = await send(method, server.production + path, { key: server.key });
          expectError(reply, 405, "method_not_allowed");
          expect([path, reply.headers.get("Allow")]).toEqual([path, allow]);
        }
        const { status, headers } = await send("OPTIONS", server.production + path, { key: server.key });
        expect([path, status, headers.get("Allow")]).toEqual([path, 204, allow]);
      }
    });

    test("the message service has no v1 and its own paths", async () => {
      expectError(await send("GET", `${server.messages}/v1/messages`, { key: server.key }), 404, "not_found");
      const reply = await send("PUT", `${server.messages}/messages`, { key: server.key });
      expectError(reply, 405, "method_not_allowed");
      expect(reply.headers.get("Allow")).toBe("OPTIONS, POST");
    });
  });

  describe("4. the key's access level", () => {
    // test/security/roles.test.ts checks that every operation that writes refuses a key that can only read.
    test("403 forbidden for a read key that writes, before its query and body are checked", async () => {
      expect((await send("GET", `${server.production}/pets`, { key: readKey })).status).toBe(200);
      for (const base of [`${server.production}/pets?x=1`, `${server.messages}/messages?x=1`]) {
        const reply = await send("POST", base, { key: readKey, body: "{" });
        expectError(reply, 403, "forbidden");
        expect(reply.headers.get("WWW-Authenticate")).toBe(
          'Bearer realm="petstore", error="insufficient_scope", scope="read-write"',
        );
      }
    });
  });

  describe("5. query parameters", () => {
    test("are checked before the body", async () => {
      const reply = await send("POST", `${server.production}/pets?dry=1`, { key: server.key, body: "{" });
      expectError(reply, 400, "invalid_parameter");
    });
  });

  describe("6. bodies", () => {
    test("are application/json in UTF-8; 415 for any other Content-Type", async () => {
      for (const [type, status] of [
        ["application/json", 201],
        ["application/json; charset=utf-8", 201],
        ['APPLICATION/JSON;charset="UTF-8"', 201],
        // `utf8` is another label for UTF-8 (Encoding Standard).
        ["application/json; charset=utf8", 201],
        ["application/json; charset=latin1", 415],
        ["text/plain", 415],
        ["application/x-www-form-urlencoded", 415],
        ["application/jsonx", 415],
        ["application/merge-patch+json", 415],
      ] as const) {
        const reply = await post(PET, { "Content-Type": type });
        expect([type, reply.status]).toEqual([type, status]);
        if (status !== 415) continue;
        expectError(reply, 415, "unsupported_media_type");
        for (const name of ["Accept", "Accept-Post"])
          expect(reply.headers.get(name)).toBe("application/json");
      }
    });

    test("400 content_type_missing without a Content-Type, 415 for a compressed body", async () => {
      expectError(await post(PET, { "Content-Type": "none" }), 400, "content_type_missing");
      const reply = await post(Bun.gzipSync(PET), { "Content-Encoding": "gzip" });
      expectError(reply, 415, "unsupported_media_type");
      expect(reply.headers.get("Accept-Encoding")).toBe("identity");
    });

    test("413 on one side of the limit, 201 on the other", async () => {
      const bodyOf = (bytes: number) => PET.padEnd(bytes);
      expect(bodyOf(2000).length).toBe(2000);
      expect((await post(bodyOf(2000))).status).toBe(201);
      const reply = await post(bodyOf(2001));
      expectError(reply, 413, "payload_too_large");
      expect(reply.json.message).toBe("The request body exceeds the 2000 byte limit.");
    });

    test("a body that the operation does not declare is ignored, whatever its type, coding and content", async () => {
      const target = async (action = "") => `/store/orders/${await server.order()}${action}`;
      const odd = { "Content-Type": "none", "Content-Encoding": "gzip" };
      for (const [method, path] of [
        ["POST", await target("/complete")],
        ["DELETE", await target()],
      ] as const) {
        const request = (body: string, headers = {}) =>
          send(method, server.production + path, { key: server.key, body, headers });
        expectError(await request("x".repeat(2001)), 413, "payload_too_large");
        const raw = await sendChunked(`${method} /v1${path}`, "zz\r\n");
        expect(raw).toStartWith("HTTP/1.1 400 ");
        const once = { ...odd, "Idempotency-Key": path };
        const first = await request("{", once);
        expect([path, first.status]).toEqual([path, method === "POST" ? 200 : 204]);
        if (method !== "POST") continue;
        for (const body of ["", "{}", "another"]) {
          const again = await request(body, once);
          expect([body, again.body, again.headers.get("Idempotent-Replayed")]).toEqual([
            ...[body, first.body, "true"],
          ]);
        }
      }
    });

    test("no body counts as {} if every member of the declared body is optional, whatever the Content-Type, even for idempotency", async () => {
      const webhook = await server.add("/webhooks", { url: "https://hooks.example.com/" });
      const address = `${server.production}/webhooks/${webhook}/rotate-secret`;
      const once = { "Idempotency-Key": "rotate" };
      const rotate = (headers = {}, body?: string) =>
        send("POST", address, { key: server.key, headers, ...(body === undefined ? {} : { body }) });
      const first = await rotate(once);
      expect(first).toMatchObject({ status: 200, json: { id: webhook } });
      for (const again of [
        await rotate(once, "{}"),
        await rotate({ ...once, "Content-Type": "text/plain" }, ""),
      ])
        expect(again).toMatchObject({ status: 200, body: first.body });
      expectError(await rotate(once, '{"overlapHours":1}'), 422, "idempotency_key_reused");
      const chunked = await sendChunked(`POST ${new URL(address).pathname}`, "0\r\n\r\n");
      expect(chunked).toStartWith("HTTP/1.1 200 ");
      expectError(await rotate({ "Content-Type": "none" }, "{}"), 400, "content_type_missing");
      for (const body of ["{}", "x".repeat(2001)])
        expectError(await rotate({ "Content-Type": "text/plain" }, body), 415, "unsupported_media_type");
    });

    const hostile: [given: string, body: string | Uint8Array, code: string][] = [
      ["nothing", "", "invalid_json"],
      ["half an object", '{"name":', "invalid_json"],
      ["two values", "{}{}", "invalid_json"],
      [
        "invalid UTF-8",
        new Uint8Array([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('","categoryId":1}')]),
        "invalid_json",
      ],
      ["a member given twice", '{"name":"a","name":"b","categoryId":1}', "invalid_json"],
      [
        "a member given twice in two spellings",
        '{"name":"a","n\\u0061me":"b","categoryId":1}',
        "invalid_json",
      ],
      ["65 levels", `{"name":"a","categoryId":1,"x":${"[".repeat(64)}${"]".repeat(64)}}`, "invalid_json"],
      ["NaN", '{"name":"a","categoryId":NaN}', "invalid_json"],
      ["a comment", '{"name":"a",/**/"categoryId":1}', "invalid_json"],
      ["__proto__ in place of the members", '{"__proto__":{"name":"a","categoryId":1}}', "invalid_body"],
    ];
    test.each(hostile)("400 for %s", async (_given, body, code) => expectError(await post(body), 400, code));

    test("members that the schema does not name are ignored: 64 levels of them, __proto__ and id", async () => {
      const deep = `${"[".repeat(63)}${"]".repeat(63)}`;
      const reply = await post(
        `{"id":77,"name":"a","categoryId":1,"__proto__":{"status":"sold"},"x":${deep}}`,
      );
      const { id, ...pet } = reply.json;
      expect([reply.status, id === 77, pet]).toEqual([201, false, { name: "a", categoryId: 1 }]);
    });
  });

  describe("every answer", () => {
    test("has the client's own request id when that is valid", async () => {
      const idOf = async (given: string) => {
        const reply = await server.get("/pets", { "X-Request-Id": given });
        return reply.headers.get("X-Request-Id");
      };
      expect(await idOf("order-7_a.B")).toBe("order-7_a.B");
      expect(await idOf("a".repeat(64))).toBe("a".repeat(64));
      expect(await idOf("a".repeat(65))).not.toBe("a".repeat(65));
      expect(await idOf("a b")).not.toBe("a b");
      expect(await idOf("ä")).toMatch(/^[0-9a-f]{24}-[0-9a-z]+$/);
    });

    test("a preflight is answered without a key, even for paths that do not exist", async () => {
      for (const path of ["/pets", "/nowhere"]) {
        const reply = await send("OPTIONS", server.production + path, {
          headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
        });
        expect(reply.status).toBe(204);
        expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect(reply.headers.get("Access-Control-Allow-Methods")).toBe(
          "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        );
        expect(reply.headers.get("Access-Control-Allow-Headers")).toBe(
          "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Petstore-Simulate, X-Request-Id, traceparent",
        );
      }
    });

    test("a page of another origin may read the header lines that a client acts on", async () => {
      const reply = await server.get("/pets", { Origin: "https://shop.example" });
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const exposed = reply.headers.get("Access-Control-Expose-Headers")?.split(", ");
      for (const name of ["ETag", "Location", "Link", "Retry-After", "X-Request-Id", "Idempotent-Replayed"])
        expect(exposed).toContain(name);
    });

    test("HEAD answers as GET does, without the body", async () => {
      for (const path of ["/pets", "/pets/1", "/categories", "/store/orders", "/nowhere", "/pets?limit=0"]) {
        const get = await server.get(path);
        const head = await send("HEAD", server.production + path, { key: server.key });
        expect(head.status).toBe(get.status);
        expect(head.body).toBe("");
        expect(head.headers.get("Date")).not.toBeNull();
        for (const name of ["Content-Type", "Content-Length", "ETag", "Link", "Cache-Control"]) {
          expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
        }
      }
    });
  });

  describe("ETag", () => {
    test("identifies only the representation: 304 on a match, even with another key", async () => {
      const first = await server.get("/pets?limit=1");
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^"[0-9a-z]{8,13}"$/);
      for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const reply = await send("GET", `${server.production}/pets?limit=1`, {
          key: readKey,
          headers: { "If-None-Match": ifNoneMatch },
        });
        expect(reply.status).toBe(304);
        expect(reply.body).toBe("");
        expect(reply.headers.get("ETag")).toBe(tag);
        expect(reply.headers.get("Cache-Control")).toBe("private, no-cache");
        expect(reply.headers.get("Vary")).toBe("Authorization, Accept, Origin");
        expect(reply.headers.get("Link")).toBe(first.headers.get("Link"));
      }
    });
  });

  describe("RFC 9457 on request", () => {
    const ranked: [accept: string, type: string][] = [
      ["application/problem+json", "application/problem+json"],
      ["application/problem+json, application/json;q=0.9", "application/problem+json"],
      ["application/problem+json, */*;q=0.1", "application/problem+json"],
      ["application/problem+json, application/json", "application/json"],
      ["application/problem+json;q=0.5, application/json", "application/json"],
      ["*/*", "application/json"],
      ["text/html", "application/json"],
    ];
    test.each(ranked)("Accept: %s gets %s", async (Accept, type) => {
      const reply = await server.get("/pets?limit=0", { Accept });
      expect([reply.status, reply.headers.get("Content-Type"), reply.headers.get("Vary")]).toEqual([
        ...[400, type, "Accept"],
      ]);
    });
  });

  test("without PETSTORE_RATE_LIMIT there is no limit", async () =>
    expect((await server.get("/pets")).headers.get("RateLimit")).toBeNull());
});
