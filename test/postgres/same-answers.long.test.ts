import { afterAll, beforeAll, expect, test } from "bun:test";
import { createRandom } from "../random.ts";
import { type Reply, send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";

// A long script of valid, invalid and hostile requests, sent to both engines: every answer is identical to the byte.

const REQUESTS = 10_000;

interface Side {
  readonly server: Server;
  readonly key: string;
  readonly readKey: string;
}

let sides: readonly [Side, Side];

beforeAll(async () => {
  const open = async (freshStore: typeof freshEmbeddedStore): Promise<Side> => {
    const server = await startServer({ store: await freshStore() });
    return {
      server,
      key: await makeKey(server.store),
      readKey: await makeKey(server.store, { access: "read" }),
    };
  };
  sides = [await open(freshEmbeddedStore), await open(freshPostgresStore)];
});
afterAll(() => Promise.all(sides.map(({ server }) => server.stop())));

interface Step {
  readonly method: string;
  readonly path: string;
  readonly service: "production" | "messages";
  readonly who: "key" | "readKey" | "noKey" | "unknownKey";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const INTEGERS = [
  "1",
  "2",
  "3",
  "0",
  "-1",
  "1.0",
  "1e3",
  "1.5",
  '"1"',
  "null",
  "true",
  "9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775808",
];
const NAMES = [
  '"Fluffy"',
  '""',
  '"🐈 é \\u0301"',
  '"a\\u0000b"',
  '"\\ud800"',
  "5",
  "null",
  `"${"x".repeat(300)}"`,
  `"'; DROP TABLE pet; --"`,
  '"\\u0001\\u007f"',
];
const STATUSES = ['"available"', '"pending"', '"sold"', '"SOLD"', "null", "1"];
const TIMES = ['"2026-01-01T12:00:00Z"', '"2026-01-01T12:00:00.123+02:00"', '"soon"', "null"];
const RAW = [
  "",
  "{",
  "[]",
  "null",
  '{"name":"a","name":"b","categoryId":1}',
  `${"[".repeat(70)}${"]".repeat(70)}`,
  '{"__proto__":{"name":"a"}}',
  '{"name":"a","categoryId":1,"__proto__":1}',
];

function createScript(seed: number) {
  const { next } = createRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const random = { below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
  const id = () =>
    random.pick([
      String(1 + random.below(400)),
      String(1 + random.below(400)),
      "0",
      "-1",
      "01",
      "abc",
      "%ff",
      "9223372036854775807",
    ]);
  const member = (name: string, values: readonly string[]) =>
    random.below(6) === 0 ? [] : [`"${name}":${random.pick(values)}`];
  const valid = () =>
    `{"name":"p${random.below(50)}","categoryId":${random.below(5)},"status":${random.pick(STATUSES.slice(0, 3))}}`;
  const petBody = () =>
    random.pick([
      valid,
      valid,
      valid,
      () =>
        `{${[...member("name", NAMES), ...member("categoryId", INTEGERS), ...member("status", STATUSES)].join(",")}}`,
      () => random.pick(RAW),
    ])();
  const query = () => {
    const one = () =>
      random.pick([
        `limit=${random.pick(["1", "7", "100", "0", "101", "abc", "", "+5", "007"])}`,
        `status=${random.pick(["available", "pending", "sold", "SOLD", ""])}`,
        `categoryId=${random.pick(["0", "1", "4", "9007199254740993", "x"])}`,
        `id=${random.pick(["1,2,3", "5", "7,7", "1,", "999999", "1,2,x"])}`,
        `cursor=${random.pick(["x", "AAAAAAAAACg"])}`,
        "stauts=sold",
      ]);
    return random.pick(["", "", `?${one()}`, `?${one()}&${one()}`]);
  };
  const categoryBody = () =>
    `{${[...member("name", NAMES), ...member("description", [...NAMES, "null"])].join(",")}}`;
  const orderBody = () =>
    random.pick([
      () => `{"petId":${1 + random.below(400)}}`,
      () =>
        `{${[...member("petId", INTEGERS), ...member("quantity", INTEGERS), ...member("shipDate", TIMES)].join(",")}}`,
    ])();
  const steps: (() => Pick<Step, "method" | "path" | "body"> & Partial<Step>)[] = [
    () => ({ method: "POST", path: "/pets", body: petBody() }),
    () => ({ method: "POST", path: "/pets", body: petBody() }),
    () => ({ method: "GET", path: `/pets${query()}` }),
    () => ({ method: "GET", path: `/pets${query()}` }),
    () => ({ method: random.pick(["GET", "HEAD"]), path: `/pets/${id()}` }),
    () => ({ method: "PATCH", path: `/pets/${id()}`, body: petBody() }),
    () => ({ method: "DELETE", path: `/pets/${id()}` }),
    () => ({ method: "POST", path: "/categories", body: categoryBody() }),
    () => ({ method: "PATCH", path: `/categories/${id()}`, body: categoryBody() }),
    () => ({ method: random.pick(["GET", "DELETE"]), path: `/categories/${id()}` }),
    () => ({ method: "GET", path: `/categories${random.pick(["", "?limit=3", "?limit=x"])}` }),
    () => ({ method: "POST", path: "/store/orders", body: orderBody() }),
    () => ({ method: "GET", path: `/store/orders${random.pick(["", "?limit=3", "?limit=0"])}` }),
    () => ({ method: "POST", path: `/store/orders/${id()}/complete` }),
    () => ({ method: "DELETE", path: `/store/orders/${id()}` }),
    () => ({
      method: "POST",
      path: "/messages",
      service: "messages" as const,
      body: `{${member("message", NAMES).join(",")}}`,
    }),
    () => ({
      method: random.pick(["PUT", "OPTIONS", "GET"]),
      path: random.pick(["/pets", "/nowhere", "/store", "/pets/1"]),
    }),
  ];
  return (): Step => {
    const step = random.pick(steps)();
    const headers: Record<string, string> = {};
    if (step.method === "POST" && random.below(3) === 0) headers["Idempotency-Key"] = `k${random.below(300)}`;
    if (random.below(20) === 0) headers["Accept"] = "application/problem+json";
    if (random.below(30) === 0)
      headers["Content-Type"] = random.pick(["text/plain", "none", "application/merge-patch+json"]);
    if (random.below(30) === 0) headers["If-None-Match"] = "*";
    const who = random.below(25) === 0 ? random.pick(["readKey", "noKey", "unknownKey"] as const) : "key";
    return { service: "production", who, headers, ...step };
  };
}

function play(side: Side, { method, path, service, who, headers, body }: Step): Promise<Reply> {
  const key = { key: side.key, readKey: side.readKey, noKey: undefined, unknownKey: "pet_live_x" }[who];
  return send(method, side.server[service] + path, {
    headers,
    ...(key !== undefined && { key }),
    ...(body !== undefined && method !== "GET" && { body }),
  });
}

/** Fields that always differ. */
const VARYING = ["date", "x-request-id", "connection", "transfer-encoding"];

/** The whole answer without values that always differ: request ids, dates and what depends on them, ports, message ids. */
function comparable({ server }: Side, { status, headers, body }: Reply): string {
  const lines = [...headers]
    .filter(([name]) => !(VARYING.includes(name) || (name === "etag" && body.includes('"createdAt":'))))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  const text = [status, ...lines, body].join("\n");
  const origins = [server.production, server.messages].map((address) => new URL(address).origin);
  return origins
    .reduce((so, origin, index) => so.replaceAll(origin, `origin-${index}`), text)
    .replaceAll(/msg_\w{22}/g, "msg_…")
    .replaceAll(/"(createdAt|completedAt)":"[^"]+"/g, '"$1":"…"');
}

test(`${REQUESTS} generated requests: no answer differs between the engines`, async () => {
  const seed = 20_260_101;
  const next = createScript(seed);
  const differences: string[] = [];
  const statuses = new Map<number, number>();
  for (let count = 0; count < REQUESTS; count++) {
    const step = next();
    const [one, other] = await Promise.all([play(sides[0], step), play(sides[1], step)]);
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
    const [left, right] = [comparable(sides[0], one), comparable(sides[1], other)];
    if (left !== right) differences.push(`${JSON.stringify(step)}\n${left}\n---\n${right}`);
  }
  console.log(
    `seed ${seed}: ${REQUESTS} requests, ${differences.length} differences; statuses ${JSON.stringify([...statuses].sort(([a], [b]) => a - b))}`,
  );
  expect(differences.slice(0, 3)).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.size).toBeGreaterThan(9);
}, 600_000);
