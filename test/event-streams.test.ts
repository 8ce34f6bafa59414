import { expect, test } from "bun:test";
import { STREAM_CHECK_MS, STREAM_STALL_MS } from "../src/http/event-streams.ts";
import { KEY_SHARES } from "../src/http/key-shares.ts";
import { CONNECTION_IDLE_SECONDS } from "../src/server/listener.ts";
import { openDatabase } from "../src/storage/open.ts";
import { type Statement, statement } from "../src/storage/statement.ts";
import { openRawConnection } from "./abuse/raw-http.ts";
import { createTestApp, onEachEngine, openPort } from "./test-app.ts";
import { until } from "./until.ts";
import { followEvents } from "./wire/event-source.ts";

const insertPet: Statement<[name: string]> = statement("INSERT INTO pet (name, category_id) VALUES ($1, 1)");
const PET = '{"name":"Rex","categoryId":1}';
const MORE_THAN_A_CONNECTION_TAKES = "x".repeat(15 * 1024 * 1024);

async function openProduction(flags = {}) {
  const app = await createTestApp({}, { productionPort: "0", ...flags });
  const { production = expect.unreachable() } = app.services;
  let peer: () => string | undefined = () => undefined;
  const listener = openPort(app, "production", {
    ...production,
    fetch(request, connection) {
      peer = connection?.peer ?? peer;
      return production.fetch(request, connection);
    },
  });
  return {
    app,
    listener,
    /** Returns the address of the client that sent the last request, or undefined once its connection has ended. */
    peer: () => peer(),
    follow: (key: string, lastEventId?: string) =>
      followEvents(`${listener.address}/events`, { key, lastEventId }),
    async close() {
      app.endStreams();
      await listener.stop();
      await app.close();
    },
  };
}

onEachEngine((store) => {
  test("a stream ends when its key expires", async () => {
    const { app, follow, close } = await openProduction(await store());
    const { token } = await app.makeKey({ expiresAt: app.clock.now() + 10 * STREAM_CHECK_MS });
    const stream = await follow(token);
    await app.clock.advance(STREAM_CHECK_MS);
    const { token: writing } = await app.makeKey();
    await app.send("production", "POST /v1/pets", { key: writing, body: PET });
    expect((await stream.take(1))[0]?.event).toBe("pet.created");
    await app.clock.advance(10 * STREAM_CHECK_MS);
    expect(await stream.next()).toBeUndefined();
    await close();
  });

  test("a stream counts as one request, holds no slot and is not closed as idle", async () => {
    const { app, listener, follow, close } = await openProduction({ ...(await store()), rateLimit: "4/60s" });
    const { token } = await app.makeKey();
    const stream = await follow(token);
    expect(stream.headers.get("RateLimit")).toStartWith('"default";r=3;');
    expect(await app.reading("petstore_requests_in_flight")).toBe(0);
    listener.closeIdle();
    await app.send("production", "POST /v1/pets", { key: token, body: PET });
    expect((await stream.take(1))[0]?.event).toBe("pet.created");
    const next = await app.send("production", "GET /v1/pets", { key: token });
    expect(next.headers.get("RateLimit")).toStartWith('"default";r=1;');
    stream.close();
    await until(async () => (await app.reading("petstore_event_streams")) === 0);
    await close();
  });

  test("a key can have 100 event streams at a time, and one more gets 429", async () => {
    const { app, follow, close } = await openProduction(await store());
    const { token: busy } = await app.makeKey();
    const [max] = KEY_SHARES.streams;
    const opening = await Promise.allSettled(Array.from({ length: max + 20 }, () => follow(busy)));
    const streams = opening.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(await app.reading("petstore_event_streams")).toBe(max);
    expect(await app.reading('petstore_key_share_refusals_total{share="streams"}')).toBe(20);
    const headers = { Accept: "text/event-stream" };
    const refused = await app.send("production", "GET /v1/events?nonsense=1", { key: busy, headers });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
    (await follow((await app.makeKey()).token)).close();
    for (const stream of streams) stream.close();
    await until(async () => (await app.reading("petstore_event_streams")) === 0);
    (await follow(busy)).close();
    await close();
  });

  test("each of two processes on one store streams the other's events", async () => {
    const flags = await store();
    const one = await openProduction(flags);
    const two = await openProduction({ ...flags, dataDir: one.app.config.dataDir });
    const { token } = await one.app.makeKey();
    const streams = [await one.follow(token), await two.follow(token)];
    const ids: number[] = [];
    for (let count = 0; count < 20; count++) {
      const { app } = count % 2 === 0 ? one : two;
      ids.push((await app.ask("production", "POST /v1/pets", { key: token, body: PET })).json.id);
    }
    for (const stream of streams)
      expect((await stream.take(20)).map(({ data }) => data.data.id)).toEqual(ids);
    await two.close();
    const resumed = await one.follow(token, streams[1]?.lastEventId());
    await one.app.send("production", "POST /v1/pets", { key: token, body: PET });
    expect((await resumed.take(1))[0]?.data.data.id).toBe(Math.max(...ids) + 1);
    await one.close();
  });
});

test("the connection of a client that stops reading is closed without waiting for the idle timeout", async () => {
  const { app, listener, peer, close } = await openProduction({ maxBodyBytes: String(16 * 1024 * 1024) });
  const { token: key } = await app.makeKey();
  // The name is longer than the API allows. It stands for a name from an earlier version, which did not limit the length of names.
  const database = await openDatabase("production", app.config);
  await database.run(insertPet, [MORE_THAN_A_CONNECTION_TAKES]);
  await database.close();
  const body = '{"status":"sold"}';
  expect((await app.send("production", "PATCH /v1/pets/1", { key, body })).status).toBe(200);
  const { socket } = await openRawConnection(listener.address, "");
  socket.pause();
  const lines = ["GET /v1/events HTTP/1.1", "Host: a", "Accept: text/event-stream", "Last-Event-ID: 0"];
  socket.write(`${[...lines, `Authorization: Bearer ${key}`].join("\r\n")}\r\n\r\n`);
  await until(async () => (await app.reading("petstore_event_stream_events_total")) === 1);
  const began = performance.now();
  for (let passed = 0; passed <= STREAM_STALL_MS; passed += STREAM_CHECK_MS)
    await app.clock.advance(STREAM_CHECK_MS);
  expect(await app.reading('petstore_event_streams_ended_total{reason="slow"}')).toBe(1);
  await until(() => peer() === undefined);
  expect(performance.now() - began).toBeLessThan((CONNECTION_IDLE_SECONDS * 1000) / 2);
  socket.terminate();
  await close();
});
