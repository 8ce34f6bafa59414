import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { makeKey, onBothEngines, petstore, type Server, send } from "./server.ts";

onBothEngines(({ freshStore, startServer }) => {
  const running = new Set<{ stop(): Promise<unknown> }>();
  afterAll(() => Promise.all([...running].map((one) => one.stop())));

  async function start(options: Parameters<typeof startServer>[0]): Promise<Server> {
    const server = await startServer(options);
    running.add(server);
    return server;
  }

  interface Delivery {
    readonly headers: Headers;
    readonly body: string;
  }

  /** A destination that records deliveries and answers with these statuses in turn, then with the last one. */
  function startDestination(...statuses: number[]) {
    const deliveries: Delivery[] = [];
    const waiting: (() => void)[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        deliveries.push({ headers: request.headers, body: await request.text() });
        const status = statuses.length > 1 ? statuses.shift() : statuses[0];
        for (const wake of waiting.splice(0)) wake();
        return new Response(null, { status: status ?? 204 });
      },
    });
    const stop = () => server.stop(true);
    running.add({ stop });
    return {
      stop,
      url: `http://127.0.0.1:${server.port}/hook`,
      deliveries,
      async received(count: number): Promise<void> {
        while (deliveries.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      },
    };
  }

  /** Polls until the message has left the queue. */
  async function settled(server: Server, key: string, id: string): Promise<string> {
    for (;;) {
      const reply = await send("GET", `${server.messages}/messages/${id}`, { key });
      const { status } = JSON.parse(reply.body);
      if (status !== "queued") return status;
    }
  }

  async function submit(server: Server, key: string, message: string): Promise<string> {
    const reply = await send("POST", `${server.messages}/messages`, {
      key,
      body: JSON.stringify({ message }),
    });
    expect(reply.status).toBe(202);
    return JSON.parse(reply.body).id;
  }

  /** The destinations of these tests are on this machine. */
  const webhook = (url: string) => ({
    PETSTORE_MESSAGES_WEBHOOK: url,
    PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow",
  });

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
        data: { id, message: "Hello 🐈", createdAt: event.data.createdAt },
      });
    });

    test("a message queued when the process is killed is delivered by the next process", async () => {
      const store = await freshStore();
      const closed = startDestination(200);
      await closed.stop();
      const first = await startServer({ store, env: webhook(closed.url) });
      const key = await makeKey(store);
      const id = await submit(first, key, "survives");
      await first.logged("a message was not delivered");
      await first.kill();
      const destination = startDestination(200);
      const second = await start({ store, env: webhook(destination.url) });
      await destination.received(1);
      expect(await settled(second, key, id)).toBe("delivered");
      expect(destination.deliveries[0]?.headers.get("webhook-id")).toBe(id);
    }, 30_000);

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
      expect(await first.stop()).toBe(0);
      const destination = startDestination(200);
      const second = await start({ store, env: webhook(destination.url) });
      await destination.received(1);
      expect(await settled(second, key, id)).toBe("delivered");
    });

    test("410 from the destination ends delivery at once: failed", async () => {
      const destination = startDestination(410);
      const server = await start({ env: webhook(destination.url) });
      const key = await makeKey(server.store);
      expect(await settled(server, key, await submit(server, key, "unwanted"))).toBe("failed");
      expect(destination.deliveries).toHaveLength(1);
    });
  });

  describe("without a webhook", () => {
    test("a message goes to the inbox: delivered", async () => {
      const server = await start({});
      const key = await makeKey(server.store);
      const id = await submit(server, key, "for the inbox");
      expect(await settled(server, key, id)).toBe("delivered");
      const unknown = await send("GET", `${server.messages}/messages/msg_unknown`, { key });
      expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([404, "not_found"]);
    });
  });
});
