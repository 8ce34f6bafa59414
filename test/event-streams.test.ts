import { expect, test } from "bun:test";
import { STREAM_CHECK_MS } from "../src/limits.ts";
import { bindAddressesFor, listen } from "../src/server/listener.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";
import { until } from "./until.ts";
import { followEvents } from "./wire/event-source.ts";

const PET = '{"name":"Rex","categoryId":1}';

/** The production service on a port, with a clock of the test's own. */
async function openProduction(flags = {}) {
  const app = await createTestApp({}, { productionPort: "0", ...flags });
  const [address] = bindAddressesFor(app.config, ["production"]);
  const { production } = app.services;
  if (address === undefined || production === undefined) throw new Error("There is no production.");
  const listener = listen(address, production);
  return {
    app,
    listener,
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

  test("a stream is one request of the rate limit, holds no slot, and outlives a cut of idle connections", async () => {
    const { app, listener, follow, close } = await openProduction({ ...(await store()), rateLimit: "4/60s" });
    const { token } = await app.makeKey();
    const stream = await follow(token);
    expect(stream.headers.get("RateLimit")).toStartWith('"default";r=3;');
    const { metrics } = app;
    const inFlight = await metrics.registry.getSingleMetricAsString("petstore_requests_in_flight");
    expect(inFlight).toContain("petstore_requests_in_flight 0");
    listener.closeIdle();
    await app.send("production", "POST /v1/pets", { key: token, body: PET });
    expect((await stream.take(1))[0]?.event).toBe("pet.created");
    const next = await app.send("production", "GET /v1/pets", { key: token });
    expect(next.headers.get("RateLimit")).toStartWith('"default";r=1;');
    stream.close();
    await until(async () =>
      (await metrics.registry.getSingleMetricAsString("petstore_event_streams")).endsWith(" 0"),
    );
    await close();
  });

  test("two processes on one store: each has the other's events", async () => {
    const flags = await store();
    const one = await openProduction(flags);
    const two = await openProduction({ ...flags, dataDir: one.app.config.dataDir });
    const { token } = await one.app.makeKey();
    const streams = [await one.follow(token), await two.follow(token)];
    const ids: number[] = [];
    for (let count = 0; count < 20; count++) {
      const { app } = count % 2 === 0 ? one : two;
      const reply = await app.send("production", "POST /v1/pets", { key: token, body: PET });
      ids.push(JSON.parse(await reply.text()).id);
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
