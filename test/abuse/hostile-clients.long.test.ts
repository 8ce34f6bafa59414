import { expect, test } from "bun:test";
import { CONNECTION_IDLE_SECONDS } from "../../src/server/listener.ts";
import { startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openRawConnection, type RawConnection, statusesOf } from "./raw-http.ts";

const IDLE = 3_000;
const SLOW = 100;
const DRIP_MS = 250;
const MEMORY_MAX_MB = 1_000;
const TURNS_MIN = 100;

test("a well-behaved client gets every response right while others stay idle, send slowly, never read or break off uploads", async () => {
  const server = await startProcess({ store: await freshEmbeddedStore() });
  const key = await makeKey(server.store);
  const known = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
  const post = `POST /v1/pets HTTP/1.1\r\n${known}Content-Type: application/json\r\n`;
  const open = (bytes: string) => openRawConnection(server.production, bytes);

  const idle: RawConnection[] = [];
  const idleSince = performance.now();
  // Each idle connection first sends a request, because the runtime closes a connection that sends nothing for about 10 seconds.
  while (idle.length < IDLE) idle.push(await open("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"));
  for (let count = 0; count < 20; count++) {
    const { socket } = await open("");
    socket.pause();
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_000));
  }

  /**
   * Sends `first` at once, and then `rest` one byte at a time until the connection is closed.
   *
   * @returns the statuses of all responses on the connection
   */
  async function drip(first: string, rest: string): Promise<readonly number[]> {
    const { socket, closed, received } = await open(first);
    let sent = 0;
    const dripping = setInterval(() => socket.write(rest[sent++] ?? ""), DRIP_MS);
    await closed;
    clearInterval(dripping);
    expect(sent).toBeLessThan(rest.length);
    return statusesOf(received());
  }
  const times = <Item>(make: () => Promise<Item>) => Promise.all(Array.from({ length: SLOW }, make));
  const slowHeads = times(() => drip(`GET /v1/pets HTTP/1.1\r\n${known}X: `, "a".repeat(1_000)));
  const slowBodies = times(() => drip(`${post}Content-Length: 1000\r\n\r\n`, " ".repeat(1_000)));
  let isOver = false;
  const slow = Promise.all([slowHeads, slowBodies]).finally(() => {
    isOver = true;
  });

  let turns = 0;
  for (; !isOver || turns < TURNS_MIN; turns++) {
    const { socket } = await open(`${post}Content-Length: 60000\r\n\r\n${"a".repeat(30_000)}`);
    const body = `{"name":"${turns}","categoryId":1}`;
    expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
    expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
    socket.terminate();
  }
  const [, bodies] = await slow;
  expect(bodies).toEqual(Array(SLOW).fill([408]));
  // On a very slow machine, the service may already have closed the first connections, because they were idle for too long. The
  // runtime measures this time in steps of 4 s, so it may close them up to 4 s early.
  if (performance.now() - idleSince < (CONNECTION_IDLE_SECONDS - 4) * 1_000)
    expect(idle.filter(({ socket }) => socket.readyState !== 1)).toEqual([]);
  for (const { socket } of idle) socket.terminate();

  expect((await send("GET", `${server.production.replace("/v1", "")}/readyz`)).status).toBe(200);
  const pages = Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]);
  expect((pages * 4_096) / 1e6).toBeLessThan(MEMORY_MAX_MB);
  expect(server.log()).not.toContain('"fault"');
  expect(server.log()).not.toMatch(/"status":5\d\d/);
  await server.stop();
});
