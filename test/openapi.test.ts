import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { parseJson } from "../src/contract/json/json.ts";
import { ERROR_STATUS } from "../src/errors.ts";
import { EVENT_TYPES } from "../src/event-kinds/event-kinds.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

// The OpenAPI documents that the services serve must be complete, and must equal those in the repository.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const DOCUMENTS = ["petstore", "staging", "messages"];
/**
 * Returns the OpenAPI document from the repository. Staging's document is not in the repository, so it is requested from the
 * service.
 */
async function committed(name: string): Promise<string> {
  if (name !== "staging") return Bun.file(new URL(`../openapi/${name}.json`, import.meta.url)).text();
  return (await app.send("staging", "GET /openapi.json")).text();
}

const documentOf = async (name: string) => JSON.parse(await committed(name));

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly ({ name: string; in: string } | { $ref: string })[];
  readonly responses: Record<
    string,
    {
      description: string;
      headers?: object;
      content?: Record<string, { example?: unknown; examples?: object }>;
    }
  >;
  readonly [extension: `x-${string}`]: unknown;
}

/** The members of an OpenAPI document that these tests read. */
interface Emitted {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly webhooks: object;
  readonly components: {
    readonly responses: Described["responses"];
    readonly schemas: Record<string, { properties: Record<string, object> }>;
    readonly parameters: object;
  };
}

interface Reference {
  readonly $ref: string;
}

/** A request that the OpenAPI document describes under `webhooks`. */
interface Delivered {
  readonly security: readonly unknown[];
  readonly parameters: readonly Reference[];
  readonly requestBody: {
    readonly content: {
      readonly "application/json": {
        readonly schema: Reference;
        readonly example: { readonly type: string };
      };
    };
  };
  readonly responses: Readonly<Record<string, Reference>>;
}

async function operationsOf(name: string): Promise<Map<string, Described>> {
  const { paths, components } = await documentOf(name);
  const operations = new Map<string, Described>();
  for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const responses = Object.entries(operation.responses).map(([status, response]) => [
        status,
        "$ref" in response ? components.responses[String(response.$ref).split("/").at(-1) ?? ""] : response,
      ]);
      operations.set(`${method.toUpperCase()} ${path}`, {
        ...operation,
        responses: Object.fromEntries(responses),
      });
    }
  }
  return operations;
}

describe("the committed documents", () => {
  const served = async (service: "production" | "staging" | "messages") =>
    (await app.send(service, "GET /openapi.json")).json();

  test("equal those that the services serve, except for the address in servers and in examples", async () => {
    for (const [service, name, port] of [
      ["production", "petstore", 8080],
      ["messages", "messages", 8082],
    ] as const) {
      const text = (await committed(name)).replaceAll(`http://localhost:${port}`, "http://petstore.test");
      expect(await served(service)).toEqual(JSON.parse(text));
    }
  });

  test("add to staging's document only its own operations and simulated errors", async () => {
    const simulate = /,?\{"\$ref":"#\/components\/parameters\/PetstoreSimulate"\}/g;
    const text = JSON.stringify(await served("staging"));
    const { info, paths, ...staging }: Emitted = JSON.parse(text.replaceAll(simulate, ""));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(text.match(simulate)).toHaveLength(operations.length);
    const own = operations.filter(({ tags: [tag] }) => tag === "Rehearsal");
    const ids = ["getTestClock", "setTestClock", "resetStore"];
    expect(own.map(({ operationId }) => operationId)).toEqual(ids);
    const petstore = (await served("production")) as Emitted;
    expect<object>(paths).toEqual({
      ...petstore.paths,
      "/test/clock": paths["/test/clock"],
      "/test/reset": paths["/test/reset"],
    });
    expect(staging).toMatchObject({ webhooks: petstore.webhooks, components: petstore.components });
    expect(info.description.replace(/\| `Petstore-Simulated` .*\n/, "")).toBe(petstore.info.description);
  });

  test("stay small without spaces, and have no code samples", async () => {
    for (const [name, most] of [
      ["petstore", 115_000],
      ["staging", 130_000],
      ["messages", 30_000],
    ] as const) {
      const text = JSON.stringify(await documentOf(name));
      console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
      expect(Buffer.byteLength(text)).toBeLessThan(most);
      expect(text).not.toContain("x-codeSamples");
    }
  });

  test("follow the Host of each request", async () => {
    for (const host of ["localhost:8080", "localhost:8081", "[::1]:8080"]) {
      const reply = await app.send("production", "GET /openapi.json", { headers: { Host: host } });
      const { servers, paths } = JSON.parse(await reply.text());
      expect(servers[0].url).toBe(`http://${host}/v1`);
      const { Location } = paths["/pets"].post.responses["201"].headers;
      expect(Location.example).toBe(`http://${host}/v1/pets/1`);
    }
  });

  test("are served compressed, with an ETag that If-None-Match turns into 304", async () => {
    for (const service of ["production", "staging", "messages"] as const) {
      const plain = await app.send(service, "GET /openapi.json");
      const text = await plain.text();
      for (const coding of ["gzip", "br"]) {
        const headers = { "Accept-Encoding": coding };
        const reply = await app.send(service, "GET /openapi.json", { headers });
        expect(reply.headers.get("Content-Encoding")).toBe(coding);
        expect(reply.headers.get("Vary")).toBe("Accept-Encoding");
        const bytes = await reply.bytes();
        expect(bytes.byteLength).toBeLessThan(text.length / 3);
        expect((coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()).toBe(text);
      }
      const tag = plain.headers.get("ETag") ?? "";
      const again = await app.send(service, "GET /openapi.json", { headers: { "If-None-Match": tag } });
      expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, tag, ""]);
      const elsewhere = { "If-None-Match": tag, Host: "elsewhere.test" };
      expect((await app.send(service, "GET /openapi.json", { headers: elsewhere })).status).toBe(200);
    }
  });

  test("are found by /.well-known/api-catalog, without a key (RFC 9727)", async () => {
    for (const [service, base] of [
      ["production", "/v1"],
      ["staging", "/v1"],
      ["messages", ""],
    ] as const) {
      const reply = await app.send(service, "GET /.well-known/api-catalog");
      expect(reply.status).toBe(200);
      expect(reply.headers.get("Content-Type")).toBe(
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      );
      expect(await reply.json()).toEqual({
        linkset: [
          {
            anchor: `http://petstore.test${base}`,
            "service-desc": [{ href: "http://petstore.test/openapi.json", type: "application/json" }],
            "service-doc": [{ href: "http://petstore.test/docs", type: "text/html" }],
            status: [{ href: "http://petstore.test/healthz", type: "application/json" }],
          },
        ],
      });
      const head = await app.send(service, "HEAD /.well-known/api-catalog");
      expect(head.headers.get("Link")).toBe(
        '<http://petstore.test/.well-known/api-catalog>; rel="api-catalog"',
      );
    }
  });

  test("mark everything except the interface's own operations as beta, including the list of orders", async () => {
    const own = ["listPets", "createPet", "getPet"];
    for (const [at, { operationId, ...operation }] of await operationsOf("petstore"))
      expect([at, operation["x-stability"], operation["x-hideTryItPanel"]]).toEqual([
        at,
        own.includes(operationId) ? undefined : "beta",
        operationId === "listOrders" ? true : undefined,
      ]);
    const messages = [...(await operationsOf("messages")).values()].map(
      (operation) => operation["x-stability"],
    );
    expect(messages).toEqual([undefined, "beta", "beta"]);
  });

  test("write int64 bounds digit for digit, and bound every text, every list and every assigned identifier", async () => {
    for (const name of DOCUMENTS) {
      const document = parseJson(await committed(name)) as Emitted;
      const unbounded: string[] = [];
      const collect = (node: unknown, at: string) => {
        if (typeof node !== "object" || node === null) return;
        const { type, enum: words, const: only, ...limits } = node as Record<string, unknown>;
        if (type === "string" && (words ?? only ?? limits["maxLength"]) === undefined) unbounded.push(at);
        if (type === "array" && limits["maxItems"] === undefined) unbounded.push(at);
        const isAssigned = /\/(id|petId|eventId)$/.test(at) && !/Category|\/New|Order\/petId/.test(at);
        if (limits["format"] === "int64" && isAssigned)
          expect([at, limits]).toMatchObject([at, { minimum: 1, maximum: 9007199254740991 }]);
        for (const [member, inner] of Object.entries(node)) collect(inner, `${at}/${member}`);
      };
      collect({ ...document.components.schemas, ...document.components.parameters }, name);
      collect({ paths: document.paths, webhooks: document.webhooks }, name);
      expect(unbounded).toEqual([]);
    }
    const { schemas } = (parseJson(await committed("petstore")) as Emitted).components;
    expect(schemas["NewPet"]?.properties["categoryId"]).toMatchObject({
      type: "integer",
      format: "int64",
      minimum: -9223372036854775808n,
      maximum: 9223372036854775807n,
    });
  });

  test("describe every delivery: its header fields, its body with an example, and the effect of each response", async () => {
    const delivered: Record<string, string[]> = {};
    for (const name of ["petstore", "messages"]) {
      const { webhooks, components } = await documentOf(name);
      const types: string[] = [];
      for (const [resource, { post }] of Object.entries<{ post: Delivered }>(webhooks)) {
        const headers = post.parameters.map(
          ({ $ref }) => components.parameters[$ref.split("/")[3] ?? ""].name,
        );
        const { example, schema } = post.requestBody.content["application/json"];
        const answers = Object.values(post.responses).map(
          ({ $ref }) => components.responses[$ref.split("/")[3] ?? ""].description,
        );
        expect([resource, post.security, headers]).toEqual([
          resource,
          [],
          ["webhook-id", "webhook-timestamp", "webhook-signature", "User-Agent"],
        ]);
        const { type } = components.schemas[schema.$ref.split("/")[3] ?? ""].properties;
        const own = type.enum ?? [type.const];
        expect(own).toContain(example.type);
        types.push(...own);
        expect([resource, Object.keys(post.responses)]).toEqual([resource, ["410", "2XX", "default"]]);
        expect(answers.join(" ")).toContain("after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h,");
      }
      delivered[name] = types;
    }
    expect(delivered).toEqual({
      petstore: [...EVENT_TYPES, "webhook.test"],
      messages: ["message.submitted"],
    });
  });

  test("describe every response with an example", async () => {
    for (const name of DOCUMENTS) {
      for (const [at, { responses }] of await operationsOf(name)) {
        for (const [status, { description, content }] of Object.entries(responses)) {
          expect([at, status, description.length > 0]).toEqual([at, status, true]);
          for (const { example, examples } of Object.values(content ?? {})) {
            expect([at, status, example !== undefined || examples !== undefined]).toEqual([at, status, true]);
          }
        }
        const statuses = Object.keys(responses);
        expect([at, statuses]).toEqual([at, expect.arrayContaining(["400", "401", "default"])]);
        expect([at, statuses.filter((status) => /^(403|405|408|413|415|429|5..)$/.test(status))]).toEqual([
          at,
          [],
        ]);
      }
    }
  });

  test("describe every parameter with an example", async () => {
    for (const name of DOCUMENTS) {
      const { components } = await documentOf(name);
      const parameters = [...(await operationsOf(name)).values()].flatMap(
        ({ parameters = [] }) => parameters,
      );
      for (const parameter of [...parameters, ...Object.values<object>(components.parameters)])
        if (!("$ref" in parameter))
          expect(parameter).toMatchObject({ description: expect.any(String), example: expect.anything() });
    }
  });

  test("the example of each Location is an address of its own operation's resource", async () => {
    const found: Record<string, unknown> = {};
    for (const name of ["petstore", "messages"])
      for (const { operationId, responses } of (await operationsOf(name)).values())
        for (const { headers } of Object.values(responses))
          if (headers !== undefined && "Location" in headers)
            found[operationId] = (headers.Location as { example?: unknown }).example;
    expect(found).toEqual({
      createPet: "http://localhost:8080/v1/pets/1",
      createCategory: "http://localhost:8080/v1/categories/1",
      placeOrder: "http://localhost:8080/v1/store/orders/1",
      createWebhook: "http://localhost:8080/v1/webhooks/1",
      testWebhook: "http://localhost:8080/v1/webhooks/1/deliveries/1",
      redeliver: "http://localhost:8080/v1/webhooks/1/deliveries/1",
      redeliverMessage: "http://localhost:8082/messages/msg_4aYQwJdbBo8sV0rzP2fLxM",
      submitMessage: "http://localhost:8082/messages/msg_4aYQwJdbBo8sV0rzP2fLxM",
    });
  });

  test("contain each error response once, under its own name; errors have one media type", async () => {
    for (const name of DOCUMENTS) {
      const { paths, components } = (await documentOf(name)) as Emitted;
      const inline = Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ responses }) => Object.entries(responses))
        .filter(([status, response]) => !status.startsWith("2") && !("$ref" in response));
      expect(inline).toEqual([]);
      for (const members of Object.values(components)) {
        const texts = Object.values(members).map((one) => JSON.stringify(one));
        expect(new Set(texts).size).toBe(texts.length);
        expect(Object.keys(members).filter((one) => !/^[A-Za-z]+$/.test(one))).toEqual([]);
      }
      // If an error had a second media type, generated clients would lose the error's `message`.
      expect(await committed(name)).not.toContain('"application/problem+json"');
      // Mock servers answer with the first example, so it must be an ordinary case.
      for (const [one, { content }] of Object.entries(components.responses))
        expect([one, Object.keys(content?.["application/json"]?.examples ?? {})[0]]).not.toEqual([
          ...[one, "invalid_request"],
        ]);
    }
  });

  test("every error code of a response is described in its document, and no other", async () => {
    for (const name of DOCUMENTS) {
      const used = new Set(["not_found", "method_not_allowed"]);
      for (const { responses } of (await operationsOf(name)).values()) {
        for (const { content } of Object.values(responses))
          for (const code of Object.keys(content?.["application/json"]?.examples ?? {})) used.add(code);
      }
      const { description } = (await documentOf(name)).info;
      const described = [...description.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
      expect(described.map(([, code]) => code).sort()).toEqual([...used].sort());
      for (const [, code = "", status] of described)
        expect([code, Object.entries(ERROR_STATUS).find(([known]) => known === code)?.[1]]).toEqual([
          code,
          Number(status),
        ]);
    }
    const { description } = (await documentOf("messages")).info;
    expect(description).not.toContain("pet_not_available");
    for (const name of DOCUMENTS)
      expect((await documentOf(name)).info.description).not.toMatch(/`petstore |PETSTORE_/);
  });

  test("write every nullable schema in one form, which also converts to OpenAPI 3.0", async () => {
    for (const name of DOCUMENTS) {
      const text = await committed(name);
      expect(text).not.toMatch(/"type":"null"|"anyOf"/);
      for (const [, own] of text.matchAll(/"type":\[([^\]]*)\]/g)) expect(own).toMatch(/^"\w+","null"$/);
    }
  });

  test("allow later error codes, and any category number", async () => {
    const { schemas } = (await documentOf("petstore")).components;
    expect(schemas.Error.properties.code.type).toBe("string");
    expect(schemas.Error.properties.code.enum).toBeUndefined();
    for (const number of [schemas.Pet.properties.categoryId, schemas.Category.properties.id])
      expect(number.minimum).not.toBe(1);
  });

  test("state which characters every text in a request may have", async () => {
    const texts: [string, unknown][] = [];
    for (const name of DOCUMENTS) {
      const collect = (node: unknown, at: string) => {
        if (typeof node !== "object" || node === null) return;
        const { type, enum: words, format, pattern } = node as Record<string, unknown>;
        if (type === "string" && words === undefined && format === undefined) texts.push([at, pattern]);
        for (const [member, inner] of Object.entries(node)) collect(inner, `${at}/${member}`);
      };
      const { paths, components } = await documentOf(name);
      for (const [path, methods] of Object.entries<Record<string, Described>>(paths))
        for (const { parameters } of Object.values(methods)) collect(parameters, path);
      collect(components.parameters, "");
      for (const [schema, value] of Object.entries<object>(components.schemas))
        if (/^New|Patch$/.test(schema)) collect(value, schema);
    }
    expect(texts.length).toBeGreaterThan(10);
    const without = texts.filter(([, pattern]) => pattern === undefined).map(([at]) => at);
    // `If-None-Match` accepts any text. A text that is not a valid tag matches nothing.
    expect([...new Set(without)]).toEqual(["/IfNoneMatch/schema"]);
    for (const [, pattern = ""] of texts) expect(() => new RegExp(String(pattern), "u")).not.toThrow();
  });
});
