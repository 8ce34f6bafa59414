import { afterAll, beforeAll, expect, test } from "bun:test";
import { loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { noRows } from "../../src/storage/statement.ts";
import { until } from "../until.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openRawConnection, type RawConnection, statusesOf } from "./raw-http.ts";

// Each client uses a different API key, requests a large page and does not read the response, which then waits in the server's
// memory.

/**
 * The length of an animal's name in bytes. It is larger than the socket buffers of the kernel, so that a response waits in the
 * server.
 */
const NAME_BYTES = 15 * 1024 * 1024;
const CLIENTS = 12;
/** The number of large responses that fit into 64 MiB. */
const SERVED = 4;

let server: ServerProcess;
let key: string;
beforeAll(async () => {
  const store = await freshEmbeddedStore();
  server = await startProcess({ store });
  key = await makeKey(server.store);
  // The API no longer accepts such long names, so the row is inserted directly, as if an earlier version had stored it.
  const database = await openDatabase("production", loadConfig({ dataDir: store.dataDir }, {}));
  await database.run({ sql: "INSERT INTO pet (name, category_id) VALUES ($1, 1)", decode: noRows }, [
    "x".repeat(NAME_BYTES),
  ]);
  await database.close();
});
afterAll(() => server.stop());

const answered = (status: number) =>
  server.log().split(`"operation":"listPets","status":${status}`).length - 1;

test("while 64 MiB of responses wait to be read, only large responses are refused with 503", async () => {
  const clients: RawConnection[] = [];
  // The service closes a connection whose client reads nothing for 30 s, so all API keys are made before the first request.
  const keys: string[] = [];
  while (keys.length < CLIENTS) keys.push(await makeKey(server.store));
  for (const own of keys) {
    const client = await openRawConnection(server.production, "");
    client.socket.pause();
    client.socket.write(`GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own}\r\n\r\n`);
    clients.push(client);
    await until(() => answered(200) + answered(503) === clients.length);
  }
  expect([answered(200), answered(503)]).toEqual([SERVED, CLIENTS - SERVED]);
  const small = await send("GET", `${server.production}/store/orders`, { key });
  expect(small.status).toBe(200);
  const refused = await send("GET", `${server.production}/pets`, { key });
  expect([refused.status, refused.json.code, refused.headers.get("Retry-After")]).toEqual([
    503,
    "unavailable",
    "1",
  ]);
  // The service never refuses the response to a change for lack of memory, because the change has already been stored.
  const body = JSON.stringify({ name: "y".repeat(255), categoryId: 1 });
  expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);

  // Half of the clients start to read their responses, and the others close their connections.
  for (const [index, { socket }] of clients.entries()) index % 2 === 0 ? socket.resume() : socket.terminate();
  await until(async () => (await send("GET", `${server.production}/pets`, { key })).status === 200);
  const read = clients.filter((_, index) => index % 2 === 0);
  await until(() => read.every((client) => isWhole(client.received())));
  for (const { socket } of read) socket.terminate();
});

function isWhole(received: string): boolean {
  const [status] = statusesOf(received);
  if (status !== 200) return status === 503;
  const start = received.indexOf("\r\n\r\n") + 4;
  return received.length - start === Number(/^content-length: (\d+)/im.exec(received)?.[1]);
}
