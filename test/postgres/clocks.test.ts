import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test";
import { SQL } from "bun";
import { messageSource } from "../../src/delivery/message-source.ts";
import { deliverToInbox } from "../../src/delivery/webhook.ts";
import { DELIVERY_LEASE_MS } from "../../src/limits.ts";
import { insertMessage } from "../../src/messages/store.ts";
import { createSetClock } from "../../src/platform/clock.ts";
import { createApp } from "../../src/server/app.ts";
import type { Database } from "../../src/storage/database.ts";
import { openConnections, openDatabase } from "../../src/storage/open.ts";
import { createTestClock } from "../clock.ts";
import { createTestApp } from "../test-app.ts";
import { freshDatabaseUrl } from "./database.ts";

// Two processes of one store run on machines whose clocks differ by 30 minutes. Both use the time of the database server.

const APART_MS = 30 * 60_000;

let databaseUrl: string;
let database: Database;
let time: () => Promise<number>;
let close: () => Promise<void>;
beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl();
  database = await openDatabase("messages", { dataDir: "", databaseUrl });
  const connections = openConnections({ dataDir: "", databaseUrl });
  if (connections === undefined) throw new Error("A server has connections.");
  ({ time, close } = connections);
});
afterAll(async () => {
  await close();
  await database.close();
});

test("what one process has claimed, another claims only after the lease, whatever its machine's clock shows", async () => {
  const now = await time();
  const right = createTestClock(now);
  const ahead = createTestClock(now + APART_MS);
  const [one, other] = [createSetClock(right), createSetClock(ahead)];
  for (const clock of [one, other]) await clock.set(async () => now);
  const { claim } = messageSource(database, deliverToInbox);
  await database.run(insertMessage, {
    id: "msg_1",
    message: "x",
    createdAt: other.now(),
    environment: "production",
    traceparent: null,
  });
  expect(await claim(one.now(), [])).toMatchObject([{ id: "msg_1" }]);
  expect(await claim(other.now(), [])).toEqual([]);
  await ahead.advance(DELIVERY_LEASE_MS + 2_000);
  expect(await claim(other.now(), [])).toMatchObject([{ id: "msg_1" }]);
});

test("a service on a machine whose clock is ahead uses the database server's time", async () => {
  const { config, makeKey, close: closeOther } = await createTestApp({}, { databaseUrl, logLevel: "silent" });
  const { token } = await makeKey();
  setSystemTime(new Date(Date.now() + APART_MS));
  const app = await createApp(config, ["production"]);
  const headers = {
    Host: "petstore.test",
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
  };
  const body = '{"name":"x","categoryId":1}';
  const request = new Request("http://petstore.test/v1/pets", {
    method: "POST",
    headers: { ...headers, "Content-Length": String(body.length) },
    body,
  });
  const { status } = (await app.services.production?.fetch(request)) ?? {};
  setSystemTime();
  expect(status).toBe(201);
  await using sql = new SQL(databaseUrl, { max: 1 });
  const [{ apart }] =
    await sql`SELECT abs(extract(epoch FROM clock_timestamp()) * 1000 - created_at)::int AS apart
    FROM production.event WHERE type = 'pet.created'`;
  expect(apart).toBeLessThan(APART_MS / 2);
  await app.close();
  await closeOther();
});
