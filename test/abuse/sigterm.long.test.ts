import { expect, test } from "bun:test";
import { send } from "../wire/send.ts";
import { makeKey, onBothEngines, type Server } from "../wire/server.ts";
import { openRawConnection, type RawConnection, statusesOf } from "./raw-http.ts";
import { storedNames } from "./stored-names.ts";

const CLIENTS = 32;
const HALF_SENT = 25;
const WARM = 300;

onBothEngines(({ freshStore, startProcess }) => {
  /**
   * Creates one animal after another until the service closes the port. Calls `acknowledge` for each animal whose creation the
   * service has acknowledged.
   */
  async function createUntilStopped(
    server: Server,
    key: string,
    client: number,
    acknowledge: (name: string) => void,
  ) {
    for (let count = 0; ; count++) {
      const name = `${client}-${count}`;
      const body = `{"name":"${name}","categoryId":1}`;
      const reply = await send("POST", `${server.production}/pets`, { key, body }).catch(() => undefined);
      if (reply === undefined) return;
      if (reply.status === 201) acknowledge(name);
    }
  }

  test.concurrent("after SIGTERM under load, the service answers every accepted request and exits with 0, even if some requests are incomplete", async () => {
    const store = await freshStore();
    const server = await startProcess({ store });
    const key = await makeKey(store);
    const known = `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const halves: RawConnection[] = [];
    for (let count = 0; count < HALF_SENT; count++) {
      halves.push(
        await openRawConnection(
          server.production,
          `POST /v1/pets HTTP/1.1\r\n${known}Content-Length: 500\r\n\r\n{`,
        ),
      );
      halves.push(await openRawConnection(server.production, `POST /v1/pets HTTP/1.1\r\n${known}X-Half`));
    }
    const acknowledged: string[] = [];
    const warm = Promise.withResolvers<void>();
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      createUntilStopped(server, key, client, (name) => {
        if (acknowledged.push(name) === WARM) warm.resolve();
      }),
    );
    await warm.promise;
    const startedAt = performance.now();
    const exitCode = await server.stop();
    console.log(`stopped under load after ${Math.round(performance.now() - startedAt)} ms`);
    await Promise.all(clients);
    expect(exitCode).toBe(0);
    for (const half of halves) {
      await half.closed;
      // The service refuses an incomplete request with 408 or 400. Any other status would mean that it executed the incomplete
      // request.
      expect(statusesOf(half.received()).filter((status) => status !== 408 && status !== 400)).toEqual([]);
    }

    const next = await startProcess({ store });
    expect([...(await storedNames(next.production, key))].sort()).toEqual([...acknowledged].sort());
    await next.stop();
  });
});
