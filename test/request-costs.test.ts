import { heapStats } from "bun:jsc";
import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createToken } from "../src/keys/token.ts";
import { systemRandomBytes } from "../src/platform/random.ts";
import { watchQueries } from "./seen-queries.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

// Measures what a request costs on SQLite, by counting statements and objects instead of measuring times.

const REQUESTS = 40;
/** The number of items on the longest page that the tests read. */
const ITEMS = REQUESTS + 1;

const queries = watchQueries("production");
const { dataDir } = queries;
const keyQueries = watchQueries("accounts", dataDir);
let app: TestApp;
let key: string;
// The time stands still, so that the service's cache of API keys never expires (FEED_STALE_MS), however long the machine stalls or
// a count of objects takes. Without the cache, each request would have to look up its key.
const { now } = performance;
const stopped = performance.now();
beforeAll(async () => {
  performance.now = () => stopped;
  app = await createTestApp({}, { dataDir });
  key = (await app.makeKey()).token;
  const make = async (path: string, body: string) =>
    expect(await app.send("production", `POST /v1${path}`, { key, body })).toHaveProperty("status", 201);
  for (let id = 1; id <= ITEMS + 1; id++) {
    await make("/pets", '{"name":"x","categoryId":1,"status":"available"}');
    await make("/categories", `{"id":${id},"name":"x"}`);
    await make("/store/orders", `{"petId":${id}}`);
  }
});
afterAll(async () => {
  keyQueries.stop();
  queries.stop();
  await app.close();
  performance.now = now;
});

/** Sends a request. Returns the response if it is ready in the same turn of the event loop, and otherwise a promise. */
function answerTo(target: string, token = key) {
  const headers = { Host: "petstore.test", Authorization: `Bearer ${token}` };
  return app.services.production?.fetch(new Request(`http://petstore.test${target}`, { headers }));
}

/** Returns the SQL statements that SQLite prepares while `work` runs. */
function preparedBy(work: () => void): readonly string[] {
  const prepared: string[] = [];
  const { query, prepare } = Connection.prototype;
  const noting = <Method extends (sql: string) => unknown>(method: Method) =>
    function (this: Connection, sql: string) {
      prepared.push(sql);
      return method.call(this, sql);
    };
  Object.assign(Connection.prototype, { query: noting(query), prepare: noting(prepare) });
  try {
    work();
  } finally {
    Object.assign(Connection.prototype, { query, prepare });
  }
  return prepared;
}

/** The maximum number of objects that a request may allocate, keyed by the type of object. */
type Most = Readonly<Record<string, number>>;

/**
 * The maximum number of repetitions of a measurement. The lowest count is used, because a test file that ran earlier in this process
 * may have left something behind that allocates objects during a measurement.
 */
const ROUNDS_MAX = 5;

/**
 * Repeats `work` until the numbers of objects per request stay within `most`. Returns the types of objects that exceed their
 * maximum in every repetition, with their lowest counts.
 */
async function exceeded(
  most: Most,
  work: () => void | Promise<void>,
  before = async () => {},
): Promise<Most> {
  let least: [type: string, count: number][] = Object.keys(most).map((type) => [type, Infinity]);
  const tooMany = () => least.filter(([type, count]) => count > (most[type] ?? 0));
  for (let round = 0; round < ROUNDS_MAX && tooMany().length > 0; round++) {
    // Collects garbage before the measurement, because objects that are collected during the measurement are not counted.
    Bun.gc(true);
    await before();
    const madeIn = await madeBy(work);
    least = least.map(([type, count]) => [type, Math.min(count, madeIn(type) / REQUESTS)]);
  }
  return Object.fromEntries(tooMany());
}

/** Runs `work`. Resolves to a function that returns how many objects of a type were allocated and are not garbage-collected yet. */
async function madeBy(work: () => void | Promise<void>): Promise<(type: string) => number> {
  const before = heapStats().objectTypeCounts;
  await work();
  const after = heapStats().objectTypeCounts;
  return (type) => (after[type] ?? 0) - (before[type] ?? 0);
}

/** Paths that depend on `index`, so that no response comes from the cache. */
const READS: Record<string, (index: number) => string> = {
  "a page of animals": (index) => `/v1/pets?limit=${index + 1}`,
  "a filtered page": (index) => `/v1/pets?status=pending&categoryId=1&limit=${index + 1}`,
  "a page of identifiers": (index) => `/v1/pets?id=${index + 1},${index + 2}`,
  "an animal": (index) => `/v1/pets/${index + 1}`,
  "a page of orders": (index) => `/v1/store/orders?complete=false&limit=${index + 1}`,
  "an order": (index) => `/v1/store/orders/${index + 1}`,
  "a page of categories": (index) => `/v1/categories?limit=${index + 1}`,
  "a category": (index) => `/v1/categories/${index + 1}`,
};

describe.each(Object.entries(READS))("%s", (_name, targetOf) => {
  const repeat = () => {
    for (let index = 0; index < REQUESTS; index++) {
      const response = answerTo(targetOf(index));
      expect(response instanceof Response && response.status).toBe(200);
    }
  };

  test("is answered in the turn of its request, by one statement that is prepared only once", async () => {
    answerTo(targetOf(REQUESTS));
    // Waits for the next turn of the event loop, because database reads in the same turn share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    queries.length = 0;
    expect(preparedBy(repeat)).toEqual([]);
    const statements = queries.map(({ sql }) => sql.split(" ", 1)[0]);
    expect(statements).toEqual(["BEGIN", ...new Array<string>(REQUESTS).fill("SELECT")]);
  });

  test("makes no promise, no header lines of its own, and few objects beside its items", async () => {
    const items = ITEMS / 2;
    // Each request has one `Headers` object, and the service creates no others. Each item on the page needs two objects: the row
    // and the decoded item.
    const most = { Promise: 0, Headers: 1.1, Object: 2 * items + 33, Function: 10, Array: 17.5 };
    const tooMany = await exceeded(most, repeat, async () => {
      // A write empties the service's cache of responses.
      await app.send("production", "POST /v1/categories", { key, body: '{"name":"x"}' });
      answerTo(targetOf(REQUESTS));
    });
    expect(tooMany).toEqual({});
  });
});

test("a repeated page makes no promise, few objects, and no header lines of its own", async () => {
  const repeat = () => {
    for (let index = 0; index < REQUESTS; index++) {
      const response = answerTo("/v1/pets?limit=20");
      expect(response instanceof Response && response.status).toBe(200);
    }
  };
  repeat();
  await new Promise((resolve) => setImmediate(resolve));
  queries.length = 0;
  // Each request has one `Headers` object, and the service creates no others.
  const most = { Promise: 0, Headers: 1.1, Object: 13, Function: 1.5, Array: 2.5 };
  expect(await exceeded(most, repeat)).toEqual({});
  expect(queries).toHaveLength(0);
});

test("an unknown key is refused in the turn of its request, by one statement, without a promise", async () => {
  const unknown = Array.from({ length: REQUESTS }, () => createToken("production", systemRandomBytes));
  const refuse = () => {
    for (const token of unknown) {
      const response = answerTo("/v1/pets", token);
      expect(response instanceof Response && response.status).toBe(401);
    }
  };
  await new Promise((resolve) => setImmediate(resolve));
  for (const seen of [queries, keyQueries]) seen.length = 0;
  refuse();
  expect(queries).toHaveLength(0);
  const statements = keyQueries.map(({ sql }) => sql.split(" ", 1)[0]);
  expect(statements).toEqual(["BEGIN", ...new Array<string>(REQUESTS).fill("SELECT")]);
  // Each request has one `Headers` object, and the service creates no others.
  const most = { Promise: 0, Error: 0, Object: 14, Function: 4.5, Headers: 1.1 };
  expect(await exceeded(most, refuse)).toEqual({});
});

test.each([
  { name: "a create", isKeyed: false, promises: 8, asyncCalls: 1.5 },
  { name: "a create with a key", isKeyed: true, promises: 9, asyncCalls: 2.5 },
])(
  "$name makes at most $promises promises, one set of header lines, and few calls that wait",
  async (kind) => {
    let keys = 0;
    let requests: Request[] = [];
    const create = () => {
      const body = '{"name":"x","categoryId":1}';
      const headers = {
        Host: "petstore.test",
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Content-Length": String(body.length),
        ...(kind.isKeyed && { "Idempotency-Key": `cost-${++keys}` }),
      };
      return new Request("http://petstore.test/v1/pets", { method: "POST", headers, body });
    };
    const answer = async () => {
      const responses = await Promise.all(requests.map((request) => app.services.production?.fetch(request)));
      for (const response of responses) expect(response).toHaveProperty("status", 201);
    };
    // The requests are executed together and share their promises. Each request has one `Headers` object, and the service creates
    // no others.
    const most = { Promise: kind.promises, AsyncFunctionGenerator: kind.asyncCalls, Headers: 1.1 };
    const tooMany = await exceeded(most, answer, async () => {
      requests = Array.from({ length: REQUESTS }, create);
    });
    expect(tooMany).toEqual({});
  },
);
