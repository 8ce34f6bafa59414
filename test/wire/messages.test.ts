import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { until } from "../until.ts";
import { signUp } from "./browser-session.ts";
import { createDestination, type Destination, settled, submit, webhook } from "./deliveries.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ freshStore, startServer }) => {
  const running = new Set<{ stop(): Promise<unknown> }>();
  afterAll(() => Promise.all([...running].map((one) => one.stop())));

  async function start(options: Parameters<typeof startServer>[0]): Promise<Server> {
    const server = await startServer(options);
    running.add(server);
    return server;
  }

  function startDestination(...statuses: number[]): Destination {
    const destination = createDestination(...statuses);
    running.add(destination);
    return destination;
  }

  describe("delivery to a webhook", () => {
    test("is signed as Standard Webhooks: the signature verifies with the stored secret", async () => {
      const destination = startDestination(204);
      const server = await start({ env: webhook(destination.url) });
      const key = await makeKey(server.store);
      const id = await submit(server, key, "Hello 🐈");
      await destination.received(1);
      expect(await settled(server, key, id)).toBe("delivered");

      const [{ headers, body } = { headers: new Headers(), body: "" }] = destination.deliveries;
      const { out } = await petstore(server.store, ["messages", "webhook-secret"]);
      expect(out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
      const secret = Buffer.from(out.trim().slice("whsec_".length), "base64");
      const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
      expect(headers.get("webhook-signature")).toBe(
        `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`,
      );
      expect(headers.get("webhook-id")).toBe(id);
      expect(Math.abs(Number(headers.get("webhook-timestamp")) - Date.now() / 1000)).toBeLessThan(60);
      expect(headers.get("content-type")).toBe("application/json");
      const event = JSON.parse(body);
      expect(event).toEqual({
        type: "message.submitted",
        timestamp: event.data.createdAt,
        data: { id, message: "Hello 🐈", createdAt: event.data.createdAt, environment: "production" },
      });
    });

    test("an attempt that a stop interrupts is repeated after the start", async () => {
      const store = await freshStore();
      const silent = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Promise<Response>(() => {}),
      });
      running.add({ stop: () => silent.stop(true) });
      const first = await startServer({ store, env: webhook(silent.url.href) });
      const key = await makeKey(store);
      const id = await submit(first, key, "patient");
      await first.stop();
      const destination = startDestination(200);
      const second = await start({ store, env: webhook(destination.url) });
      await destination.received(1);
      expect(await settled(second, key, id)).toBe("delivered");
    });

    test("fails at once when the destination answers 410", async () => {
      const destination = startDestination(410);
      const server = await start({ env: webhook(destination.url) });
      const key = await makeKey(server.store);
      expect(await settled(server, key, await submit(server, key, "unwanted"))).toBe("failed");
      expect(destination.deliveries).toHaveLength(1);
    });
  });

  describe("a message that has failed", () => {
    test("says why, and is delivered when a member of staff sends it again", async () => {
      const destination = startDestination(410, 204);
      const server = await start({ env: webhook(destination.url) });
      const person = await signUp(server, "ada@example.com");
      const key = await makeKey(server.store);
      const id = await submit(server, key, "once more");
      expect(await settled(server, key, id)).toBe("failed");
      const address = `${server.messages}/messages/${id}`;
      const read = async () => (await send("GET", address, { key })).json;
      const failed = await read();
      expect(Object.keys(failed)).toEqual(["id", "message", "status", "createdAt", "attempts"]);
      const attempt = { createdAt: expect.stringMatching(/^2.*Z$/), durationMs: expect.any(Number) };
      expect(failed.attempts).toEqual([{ ...attempt, status: 410, error: null }]);

      const redeliver = () =>
        send("POST", `${address}/redeliver`, { key, headers: { "Idempotency-Key": "once" } });
      const { status, body, json, headers } = await redeliver();
      expect([status, headers.get("Location")]).toEqual([202, address]);
      const { createdAt } = failed;
      expect(json).toMatchObject({
        id,
        status: "queued",
        createdAt,
        attempts: [{ status: 410 }],
      });
      const replayed = await redeliver();
      expect([replayed.body, replayed.headers.get("Location")]).toEqual([body, address]);
      await destination.received(2);
      expect(await settled(server, key, id)).toBe("delivered");
      expect((await read()).attempts).toMatchObject([{ status: 204 }, { status: 410 }]);
      const ids = destination.deliveries.map((delivery) => delivery.headers.get("webhook-id"));
      expect(ids).toEqual([id, id]);

      const delivered = await person.call(`POST /messages/${id}/redeliver`);
      expect([delivered.status, delivered.json]).toMatchObject([
        409,
        { code: "conflict", message: "The message is delivered. Only a failed message can be sent again." },
      ]);
      expect((await person.call("POST /messages/msg_unknown/redeliver")).status).toBe(404);
    });

    test("an attempt that reaches no destination says so, without the address", async () => {
      const server = await start({ env: webhook("http://ada:secret@127.0.0.1:1/hook") });
      const person = await signUp(server, "ada@example.com");
      const id = await submit(server, await makeKey(server.store), "x");
      const read = async () => await person.read(`/messages/${id}`);
      await until(async () => (await read()).attempts.length > 0);
      const { status, nextAttemptAt, attempts } = await read();
      expect(attempts.at(-1)).toEqual({
        createdAt: expect.stringMatching(/^2.*Z$/),
        durationMs: expect.any(Number),
        status: null,
        error: expect.stringMatching(/^The webhook could not be reached \(\w+\)\.$/),
      });
      expect([status, nextAttemptAt > attempts[0].createdAt]).toEqual(["queued", true]);
    });
  });

  describe("without a webhook", () => {
    test("a message goes to the inbox: delivered", async () => {
      const server = await start({});
      const key = await makeKey(server.store);
      const id = await submit(server, key, "for the inbox");
      expect(await settled(server, key, id)).toBe("delivered");
      const unknown = await send("GET", `${server.messages}/messages/msg_unknown`, { key });
      expect(unknown).toMatchObject({ status: 404, json: { code: "not_found" } });
    });
  });

  describe("a message belongs to the environment of its key", () => {
    const read = (server: Server, id: string, key: string) =>
      send("GET", `${server.messages}/messages/${id}`, { key });

    test("404 for a key of the other environment, even if the owner has just read the message", async () => {
      const server = await start({});
      const production = await makeKey(server.store);
      const staging = await makeKey(server.store, { environment: "staging" });
      for (const [own, other] of [
        [production, staging],
        [staging, production],
      ] as const) {
        const id = await submit(server, own, "mine");
        expect(await settled(server, own, id)).toBe("delivered");
        for (let round = 0; round < 4; round++) {
          expect((await read(server, id, own)).status).toBe(200);
          const refused = await read(server, id, other);
          expect(refused).toMatchObject({ status: 404, json: { code: "not_found" } });
        }
      }
    });

    test("the delivered body names staging for a staging key", async () => {
      const destination = startDestination(204);
      const server = await start({ env: webhook(destination.url) });
      await submit(server, await makeKey(server.store, { environment: "staging" }), "from staging");
      await destination.received(1);
      expect(JSON.parse(destination.deliveries[0]?.body ?? "").data.environment).toBe("staging");
    });
  });
});
