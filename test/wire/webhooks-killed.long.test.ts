import { afterAll, describe, expect, test } from "bun:test";
import type { ServerProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";
import type { Store } from "./stores.ts";

// A process is killed between a delivery's request and the commit of its outcome: another one or the next start repeats it.

const ENV = { PETSTORE_WEBHOOKS_PRIVATE: "allow" };

onBothEngines(({ freshStore, startProcess }) => {
  const running = new Set<{ stop(): Promise<unknown> }>();
  afterAll(() => Promise.all([...running].map((one) => one.stop())));

  async function start(store: Store): Promise<ServerProcess> {
    const server = await startProcess({ store, env: ENV });
    running.add(server);
    return server;
  }

  describe("a process that is killed in the middle of a delivery", () => {
    test("loses nothing: it is sent again when the lease ends, and the animal's next event after it", async () => {
      const ids: (string | null)[] = [];
      const arrivals: (() => void)[] = [];
      const receiver = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch({ headers }) {
          ids.push(headers.get("webhook-id"));
          for (const wake of arrivals.splice(0)) wake();
          return ids.length === 1 ? new Promise<Response>(() => {}) : new Response(null, { status: 204 });
        },
      });
      running.add({ stop: () => receiver.stop(true) });
      const received = async (count: number) => {
        while (ids.length < count) await new Promise<void>((resolve) => arrivals.push(resolve));
      };

      const store = await freshStore();
      const first = await start(store);
      const key = await makeKey(store);
      const post = (path: string, body: object, method = "POST") =>
        send(method, `${first.production}${path}`, { key, body: JSON.stringify(body) });
      expect((await post("/webhooks", { url: receiver.url.href })).status).toBe(201);
      expect((await post("/pets", { name: "x", categoryId: 1 })).status).toBe(201);
      await received(1);
      expect((await post("/pets/1", { name: "y" }, "PATCH")).status).toBe(200);
      // If several processes may serve the store, the other one is already running.
      const isShared = store.settings["PETSTORE_DATABASE_URL"] !== undefined;
      const other = isShared ? await start(store) : undefined;
      await first.kill();
      const second = other ?? (await start(store));
      await received(3);
      expect(ids).toEqual(["evt_1", "evt_1", "evt_2"]);

      for (;;) {
        const { body } = await send("GET", `${second.production}/webhooks/1/deliveries`, { key });
        const deliveries: { status: string; attempts: { status: number }[] }[] = JSON.parse(body);
        if (deliveries.some(({ status }) => status === "queued")) continue;
        // The outcome of the killed process's attempt is unknown.
        expect(deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([
          [204],
          [204],
        ]);
        break;
      }
    }, 120_000);
  });
});
