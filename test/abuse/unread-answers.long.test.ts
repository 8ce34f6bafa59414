import { expect, test } from "bun:test";
import { until } from "../until.ts";
import { send } from "../wire/send.ts";
import { makeKey, onBothEngines } from "../wire/server.ts";
import { openRawConnection } from "./raw-http.ts";

const CLIENTS = 300;
const NAME = "x".repeat(65_000);
/** The idle service takes 90 MB; before pages ended at 1 MiB it took 1,963 MB here. */
const MEMORY_MAX_MB = 500;

onBothEngines(({ startProcess }) => {
  test(`${CLIENTS} clients that ask for 100 long names and read nothing cost a bounded memory`, async () => {
    const server = await startProcess();
    const key = await makeKey(server.store);
    const body = JSON.stringify({ name: NAME, categoryId: 1 });
    for (let count = 0; count < 100; count++)
      expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => openRawConnection(server.production, "")),
    );
    for (const { socket } of clients) {
      socket.pause();
      socket.write(`GET /v1/pets?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    }
    await until(() => server.log().split('"operation":"listPets"').length - 1 === CLIENTS);
    const pages = Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]);
    const megabytes = (pages * 4_096) / 1e6;
    console.log(`the server holds ${megabytes.toFixed(0)} MB`);
    expect(megabytes).toBeLessThan(MEMORY_MAX_MB);
    for (const { socket } of clients) socket.terminate();
    expect((await send("GET", `${server.production}/pets?limit=1`, { key })).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
