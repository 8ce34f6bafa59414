import { afterAll, describe, expect, test } from "bun:test";
import type { ServerProcess } from "./process.ts";
import { everyPet } from "./remote.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";
import type { Store } from "./stores.ts";

onBothEngines(({ freshStore, startProcess }) => {
  // A real process is killed: every acknowledged change is there after the restart.

  const running = new Set<ServerProcess>();
  async function start(store: Store): Promise<ServerProcess> {
    const server = await startProcess({ store });
    running.add(server);
    return server;
  }
  afterAll(() => Promise.all([...running].map((server) => server.kill())));

  describe("kill -9, then a start", () => {
    test("an identifier is not used again, even that of the last animal, removed before the crash", async () => {
      const store = await freshStore();
      let server = await start(store);
      const key = await makeKey(store);
      const create = () =>
        send("POST", `${server.production}/pets`, { key, body: '{"name":"x","categoryId":1}' });
      expect(JSON.parse((await create()).body).id).toBe(1);
      expect((await send("DELETE", `${server.production}/pets/1`, { key })).status).toBe(204);
      await server.kill();
      server = await start(store);
      expect(JSON.parse((await create()).body).id).toBe(2);
      await server.stop();
    });
  });

  describe("SIGTERM", () => {
    test("requests in progress are answered, then the process exits with 0", async () => {
      const server = await start(await freshStore());
      const key = await makeKey(server.store);
      const replies = Array.from({ length: 50 }, (_, number) =>
        send("POST", `${server.production}/pets`, { key, body: `{"name":"${number}","categoryId":1}` }),
      );
      await Promise.race(replies);
      const exit = server.stop();
      const settled = await Promise.allSettled(replies);
      expect(await exit).toBe(0);
      const created = settled.filter((one) => one.status === "fulfilled" && one.value.status === 201);
      const next = await start(server.store);
      expect(await everyPet(next, key)).toHaveLength(created.length);
      expect(await next.stop()).toBe(0);
    });
  });
});
