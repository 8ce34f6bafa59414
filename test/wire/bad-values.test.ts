import { beforeAll, expect, test } from "bun:test";
import { BODY_BYTES_MAX } from "../../src/limits.ts";
import { type Described, describedOperations, type Schema, writeExactly } from "../conformity/document.ts";
import { type SendOptions, send } from "./send.ts";
import { onBothEngines } from "./server.ts";

// Sends invalid values in each parameter and in each body member that the OpenAPI documents describe, according to its type.

const INT64_BAD = ["9223372036854775808", "-9223372036854775809", "1.5", "1e-1", "1e400"];
const LONG_NUMBERS = ["1.0000000000000000000001", `1${"0".repeat(400)}`, `0.${"0".repeat(400)}1`];
const TIMES_BAD = ["", "tomorrow", "2026-01-01", "2026-02-29T12:00:00Z", "2026-01-01T25:00:00Z"];
const IDS_BAD = ["0", "-1", "01", "1.0", "x", "%31%ff", "9223372036854775808", "1%2F2", "%2531", "%00"];
const TAGS_BAD = ["", "nope", '"open', '*, "a"', 'w/"a"', '"a" "b"', ",", '"a b"'];
const LONG = "a".repeat(256);
const HEADERS_BAD: Readonly<Record<string, readonly string[]>> = {
  "If-Match": TAGS_BAD,
  "If-None-Match": TAGS_BAD,
  "Idempotency-Key": ["", '""', "a b", LONG, `"${LONG}"`, '"unfinished', '"a\\b"', "ä"],
};

const TEXT = "must not contain U+0000 or an unpaired surrogate";
const STATUS = "status must be one of available, pending, sold";
const LIMIT = "limit must be an integer from 1 to 100.";
const ID = "id must be 1 to 100 comma-separated 64-bit integers.";
const TIME = "must be an RFC 3339 time such as 2026-01-01T12:00:00Z";
/** One example of each error message about an invalid value, with the request that causes it. */
const SENTENCES: readonly (readonly [request: string, message: string, body?: string])[] = [
  ["POST /pets", "name is required; categoryId is required.", "{}"],
  ["POST /pets", "name must be a string.", '{"name":1,"categoryId":1}'],
  ["POST /pets", `name ${TEXT}.`, '{"name":"a\\u0000","categoryId":1}'],
  ["POST /pets", `categoryId is required; ${STATUS}.`, '{"name":"x","status":"SOLD"}'],
  ["POST /pets", "categoryId must be a 64-bit integer.", '{"name":"x","categoryId":1.5}'],
  ["PATCH /pets/1", `${STATUS}, or null.`, '{"status":"gone"}'],
  ["POST /store/orders", "quantity must be 1.", '{"petId":1,"quantity":2}'],
  ["POST /store/orders", `shipDate ${TIME}.`, '{"petId":1,"shipDate":"tomorrow"}'],
  ["GET /pets?limit=0", LIMIT],
  ["GET /pets?status=", `${STATUS}.`],
  ["GET /pets?categoryId=1.5", "categoryId must be a 64-bit integer."],
  ["GET /pets?categoryId=-0", "categoryId must be a 64-bit integer."],
  ["GET /pets?limit=01", LIMIT],
  ["GET /pets?id=1,02", ID],
  ["GET /pets?id=1&id=", ID],
  ["GET /pets?id=&id=1", ID],
  ["GET /pets?id=1&id=2&limit=5&limit=5", "limit must be given only once."],
  ["GET /store/orders?complete=1", "complete must be true or false."],
];

const operations = await describedOperations();

/** Returns invalid JSON values of each kind for a body member with this schema. */
function badJson(schema: Schema, resolve: (schema: Schema) => Schema): readonly string[] {
  const variants = (schema.anyOf ?? [schema]).map(resolve);
  const types = variants.map(({ type }) => type);
  const others = { string: '"1"', integer: "1", boolean: "true", array: "[1]", object: "{}", null: "null" };
  const wrongTypes = Object.entries(others).filter(([type]) => !types.includes(type));
  return [
    ...wrongTypes.map(([, json]) => json),
    ...variants.flatMap((variant) => badOfType(variant, resolve)),
  ];
}

function badOfType(schema: Schema, resolve: (schema: Schema) => Schema): readonly string[] {
  const { type, minimum, maximum, format, pattern, minLength, maxLength } = schema;
  if (type === "integer") {
    const bounds =
      minimum === undefined || maximum === undefined ? [] : [BigInt(minimum) - 1n, BigInt(maximum) + 1n];
    return [...INT64_BAD, ...LONG_NUMBERS, ...bounds.map(String)];
  }
  if (type === "array") {
    const items = badJson(resolve(schema.items ?? {}), resolve).map((item) => `[${item}]`);
    const [word = ""] = resolve(schema.items ?? {}).enum ?? [];
    return [
      ...items,
      ...(schema.minItems ? ["[]"] : []),
      ...(schema.uniqueItems ? [JSON.stringify([word, word])] : []),
    ];
  }
  if (type !== "string") return [];
  const texts = ["a\u0000b", "a\ud800b", "\udc00"];
  if (schema.enum) texts.push("", `${schema.enum[0]} `, (schema.enum[0] ?? "").toUpperCase());
  if (format === "date-time") texts.push(...TIMES_BAD, "9999-12-31T23:59:59-01:00");
  if (minLength) texts.push("");
  // If the schema has no maximum length, a text is limited only by the maximum size of a body.
  if (maxLength !== undefined && maxLength < BODY_BYTES_MAX)
    texts.push(`https://a.example/${"a".repeat(maxLength)}`);
  if (pattern?.includes("://"))
    texts.push("", "a", " https://a.example", "https://a.example/#a", "ftp://a.example");
  return texts.map((text) => JSON.stringify(text));
}

/** Returns invalid values of each kind for a query parameter with this schema, percent-encoded. */
function badText(schema: Schema, resolve: (schema: Schema) => Schema): readonly string[] {
  const { type, items, maxItems, minimum = 0, maximum = 0 } = schema;
  const words = schema.enum?.[0] === undefined ? [] : [schema.enum[0].toUpperCase(), `${schema.enum[0]}%20`];
  switch (type) {
    case "integer":
      return [
        `${BigInt(minimum) - 1n}`,
        `${BigInt(maximum) + 1n}`,
        "1.5",
        "1.0",
        "x",
        "1e1",
        "%2B5",
        "01",
        "-0",
        "%31%ff",
        "٣",
      ];
    case "boolean":
      return ["1", "TRUE", "yes"];
    case "array":
      return [
        ...badText(resolve(items ?? {}), resolve),
        ...["1,,2", ",1", ...(resolve(items ?? {}).type === "integer" ? ["x"] : [])],
        ...(maxItems === undefined ? [] : [`1${",1".repeat(maxItems)}`]),
      ];
    default:
      return [...words, "%00", "%ED%A0%80", "%ff"];
  }
}

interface BadRequest {
  readonly path: string;
  readonly options?: SendOptions;
  readonly status?: 404;
  readonly code: string;
  readonly message: RegExp;
}

/** Returns the requests that an operation must refuse, keyed by what is wrong with each of them. */
function badRequests(operation: Described): Readonly<Record<string, readonly BadRequest[]>> {
  const { body, example = {}, parameters, resolve } = operation;
  const pathWith = (id: string) => operation.path.replace(/\{\w+\}/g, id);
  const path = pathWith("1");
  const valid = body && { body: writeExactly(example) };
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const invalid = (query: string, message: RegExp): BadRequest => ({
    ...{ path: `${path}?${query}`, code: "invalid_parameter", message },
  });
  const takes = queries.map(({ name }) => name).join(", ") || "no query parameters";
  const requests: Record<string, readonly BadRequest[]> = {
    ...badBodies(operation, path),
    name: ["stauts", "__proto__"].map((name) =>
      invalid(
        `${name}=1`,
        RegExp(`^"${name}" is not a query parameter here; this operation takes ${takes}\\.$`),
      ),
    ),
  };
  for (const { name, schema } of queries) {
    const { type, maxItems = 1 } = resolve(schema);
    const must = RegExp(`^${name} must be [^;]+\\.$`);
    const texts = [name, `${name}=`, ...badText(resolve(schema), resolve).map((bad) => `${name}=${bad}`)];
    const repeated =
      type === "array"
        ? invalid(`${name}=&`.repeat(maxItems + 1), must)
        : invalid(`${name}=x&${name}=x`, RegExp(`^${name} must be given only once\\.$`));
    requests[`parameter ${name}`] = [...texts.map((text) => invalid(text, must)), repeated];
  }
  if (path !== operation.path)
    requests["identifier"] = IDS_BAD.map((id) => ({
      ...{ path: pathWith(id), options: { ...valid }, status: 404, code: "not_found", message: /./ },
    }));
  for (const { name, schema } of parameters.filter(
    ({ name, schema }) => name in HEADERS_BAD && schema.pattern,
  ))
    requests[`header ${name}`] = (HEADERS_BAD[name] ?? []).map((value) => {
      expect([value, RegExp(schema.pattern ?? "", "u").test(value)]).toEqual([value, false]);
      const options = { ...valid, headers: { [name]: value } };
      return { path, options, code: "invalid_request", message: RegExp(`^${name} `) };
    });
  return requests;
}

function badBodies({ body, example = {}, resolve }: Described, path: string) {
  const requests: Record<string, readonly BadRequest[]> = {};
  if (body === undefined) return requests;
  const invalid = (text: string, message: RegExp, code = "invalid_body"): BadRequest => ({
    ...{ path, options: { body: text }, code, message },
  });
  const { properties = {}, required = [] } = resolve(body);
  requests["body"] = ["[]", '"x"', "1", "null"].map((text) =>
    invalid(text, /^The body must be a JSON object\.$/),
  );
  for (const [name, schema] of Object.entries(properties)) {
    const others = Object.entries(example ?? {}).filter(([other]) => other !== name);
    const rest = others.map(([other, value]) => `"${other}":${writeExactly(value)}`);
    const must = RegExp(`^${name}(/0)? must [^;]+(; ${name} must [^;]+)?\\.$`);
    requests[`member ${name}`] = [
      ...badJson(resolve(schema), resolve).map((json) =>
        invalid(`{${[`"${name}":${json}`, ...rest]}}`, must),
      ),
      ...(required.includes(name) ? [invalid(`{${rest}}`, RegExp(`^${name} is required\\.$`))] : []),
      invalid(`{"${name}":1,"${name}":1}`, /./, "invalid_json"),
    ];
  }
  return requests;
}

onBothEngines(({ useStore }) => {
  const store = useStore();
  const lists = ["/pets", "/categories", "/store/orders", "/webhooks"];
  const contents = () => Promise.all(lists.map(async (path) => (await store.get(path)).body));
  let before: readonly string[];
  beforeAll(async () => {
    await store.post("/pets", '{"name":"x","categoryId":1,"status":"available"}');
    await store.post("/categories", '{"name":"x"}');
    await store.post("/store/orders", '{"petId":1}');
    await store.post("/webhooks", '{"url":"https://hooks.example.com/"}');
    before = await contents();
  });

  for (const operation of operations)
    for (const [what, requests] of Object.entries(badRequests(operation)))
      test(`${operation.id} refuses each bad ${what}`, async () => {
        const base = store[operation.service];
        for (const { path, options, status = 400, code, message } of requests) {
          const reply = await send(operation.method, base + path, { key: store.key, ...options });
          expect([path, options, reply.status, reply.json]).toEqual([
            ...[path, options, status],
            { code, message: expect.stringMatching(message), status },
          ]);
        }
      });

  for (const [request, message, body] of SENTENCES)
    test(`400 for ${request}: ${message}`, async () => {
      const reply = await store.send(request, body === undefined ? {} : { body });
      const code = body === undefined ? "invalid_parameter" : "invalid_body";
      expect(reply.json).toEqual({ code, message, status: 400 });
    });

  test("no refused request has changed anything", async () => expect(await contents()).toEqual([...before]));
});
