import { expect, test } from "bun:test";
import { PROGRAM, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openRawConnection } from "./raw-http.ts";

const OPEN_FILES_MAX = 300;
const CONNECTIONS = 500;

test("when four fifths of the allowed files are open, idle connections are closed and new ones are served", async () => {
  const limited = ["bash", "-c", `ulimit -n ${OPEN_FILES_MAX}; exec "$@"`, "bash", ...PROGRAM.command];
  const server = await startProcess({
    store: await freshEmbeddedStore(),
    program: { command: limited, cwd: PROGRAM.cwd },
  });
  const key = await makeKey(server.store);
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = await openRawConnection(server.production, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
      await client.answered(1);
      expect(client.received()).toStartWith("HTTP/1.1 200 ");
      return client;
    }),
  );
  const created = await send("POST", `${server.production}/pets`, {
    key,
    body: '{"name":"x","categoryId":1}',
  });
  expect(created.status).toBe(201);
  const { body } = await send("GET", server.metrics);
  const closed = Number(/^petstore_idle_connections_closed_total (\d+)$/m.exec(body)?.[1]);
  expect(closed).toBeGreaterThanOrEqual(CONNECTIONS - OPEN_FILES_MAX);
  for (const { socket } of clients) socket.terminate();
  expect(await server.stop()).toBe(0);
});
