import { afterEach, beforeEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { FEED_HEARTBEAT_MS } from "../../src/limits.ts";
import { createTestApp, type TestApp } from "../test-app.ts";
import { until } from "../until.ts";
import { emptyDatabaseUrl, freshDatabaseUrl } from "./database.ts";
import { type Relay, startRelay } from "./relay.ts";

// Before the service sends a cached response, it queries the version of the data. All requests in the same turn of the event loop
// share this query. Requests that arrive after the query was sent need another one.

const LIST = "GET /v1/pets?limit=1";

let relay: Relay;
let app: TestApp;
/** A second process of the service, with its own database connections. */
let other: TestApp;
let key: string;

beforeEach(async () => {
  const databaseUrl = await freshDatabaseUrl();
  relay = startRelay(databaseUrl);
  app = await createTestApp({}, { databaseUrl: relay.url });
  other = await createTestApp({}, { databaseUrl });
  ({ token: key } = await app.makeKey());
  await create();
});
afterEach(async () => {
  await app.close();
  await other.close();
  relay.stop();
});

const list = async () => (await app.send("production", LIST, { key })).text();
const create = async () =>
  (await other.send("production", "POST /v1/pets", { key, body: '{"name":"x","categoryId":1}' })).text();

/** Counts the queries that the requests cause: queries for the version of the data, and queries for a page of animals. */
async function cost(requests: () => Promise<unknown>): Promise<{ versions: number; pages: number }> {
  relay.statements.length = 0;
  await requests();
  const count = (pattern: RegExp) => relay.statements.filter((sql) => pattern.test(sql)).length;
  return { versions: count(/pg_current_snapshot/), pages: count(/FROM production.pet /) };
}

/** Fills the service's caches with the API key and the page. The page is cached when it is requested for the second time. */
async function warmUp(): Promise<void> {
  for (let time = 0; time < 3; time++) await list();
}

test("a page that was not requested recently costs only its own query", async () => {
  await app.send("production", "GET /v1/pets?limit=2", { key });
  expect(await cost(list)).toEqual({ versions: 0, pages: 1 });
  expect(await cost(list)).toEqual({ versions: 1, pages: 1 });
  expect(await cost(list)).toMatchObject({ versions: 1 });
});

test("a page that is requested rarely costs only its own query", async () => {
  await warmUp();
  app.clock.set(FEED_HEARTBEAT_MS + 1);
  expect(await cost(list)).toEqual({ versions: 0, pages: 1 });
  expect(await cost(list)).toMatchObject({ versions: 1 });
});

// The next two tests repeat their requests, until no other commit and no check of the API key interferes. Only then do all requests
// share one turn of the event loop.

test("50 concurrent requests for a cached page share one query of the version, and read no page", async () => {
  await warmUp();
  const requests = () => Promise.all(Array.from({ length: 50 }, list));
  await until(async () => {
    const { versions, pages } = await cost(requests);
    return versions === 1 && pages === 0;
  });
});

test("50 concurrent requests for an outdated page also share the query of the page", async () => {
  await warmUp();
  await until(async () => {
    const made = await create();
    const { versions, pages } = await cost(async () => {
      for (const body of await Promise.all(Array.from({ length: 50 }, list))) expect(body).toBe(`[${made}]`);
    });
    return versions === 1 && pages === 1;
  });
});

test("a request does not reuse a version that was queried before it arrived", async () => {
  for (let round = 0; round < 5; round++) {
    await warmUp();
    const answers = relay.hold();
    const early = list();
    await answers.held;
    const made = await create();
    const late = list();
    answers.release();
    await early;
    expect(await late).toBe(`[${made}]`);
  }
});

test("no page of events is cached, because the version changes before the lock that cut off the page is released", async () => {
  const events = async () => (await app.send("production", "GET /v1/events", { key })).text();
  for (let time = 0; time < 3; time++) expect(await cost(events)).toMatchObject({ versions: 0 });
});

test("pages are read if the server refuses the query of the version", async () => {
  const url = new URL(await emptyDatabaseUrl());
  const admin = new SQL(url.href, { max: 1 });
  const role = url.pathname.slice(1);
  await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  await admin.unsafe(`GRANT CREATE ON DATABASE ${role} TO ${role}`);
  await admin.unsafe("REVOKE EXECUTE ON FUNCTION pg_control_checkpoint FROM PUBLIC");
  [url.username, url.password] = [role, "x"];
  const refused = await createTestApp({}, { databaseUrl: url.href });
  const { token } = await refused.makeKey();
  for (let time = 0; time < 4; time++) {
    const { status } = await refused.send("production", LIST, { key: token });
    expect(status).toBe(200);
  }
  await refused.close();
  await admin.unsafe(`DROP OWNED BY ${role}`);
  await admin.unsafe(`DROP ROLE ${role}`);
  await admin.close();
});
