import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { createDestination } from "../wire/deliveries.ts";
import { petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { untilRefused } from "../wire/revocation.ts";
import { persist, send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshPostgresStore, type Store } from "../wire/stores.ts";

// Several processes of the service share one PostgreSQL database. What is guaranteed within one process must also hold between
// processes.

let store: Store;
let servers: ServerProcess[];

beforeAll(async () => {
  store = await freshPostgresStore();
  servers = await Promise.all([startProcess({ store }), startProcess({ store })]);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

test("a key revoked by another process is refused even when the listening connections are cut", async () => {
  const { out } = await petstore(store, ["keys", "create", "--environment", "production", "--json"]);
  const revoked = JSON.parse(out);
  const address = servers[0]?.production ?? "";
  expect((await send("GET", `${address}/pets?limit=1`, { key: revoked.key })).status).toBe(200);
  const sql = new SQL(store.settings["PETSTORE_DATABASE_URL"] ?? "", { max: 1 });
  // The test closes the connections again and again, so that none of them is restored in time to receive the revocation of the API
  // key.
  let isOver = false;
  let cut = 0;
  const cutting = (async () => {
    while (!isOver) {
      // A heartbeat ends with UNLISTEN, so PostgreSQL shows UNLISTEN as the last query of a listening connection.
      const gone = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ~ '^(UN)?LISTEN'`;
      cut += gone.length;
    }
  })();
  try {
    expect((await petstore(store, ["keys", "revoke", revoked.id])).code).toBe(0);
    await untilRefused(address, revoked.key);
  } finally {
    isOver = true;
    await cutting;
  }
  await sql.close();
  expect(cut).toBeGreaterThan(0);
});

describe("5,000 messages, four workers, one of them killed half way", () => {
  test("each is delivered, and only the dead worker's messages arrive twice", async () => {
    const destination = createDestination(204);
    const { deliveries } = destination;
    const received = () => Map.groupBy(deliveries, ({ headers }) => headers.get("webhook-id") ?? "");

    const own = await freshPostgresStore();
    const env = {
      PETSTORE_MESSAGES_WEBHOOK: destination.url,
      PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow",
    };
    const workers = await Promise.all(Array.from({ length: 4 }, () => startProcess({ store: own, env })));
    const ownKey = await makeKey(own);
    const submitted = new Set<string>();
    async function submitSome(client: number): Promise<void> {
      const address = workers[1 + (client % 3)]?.messages;
      for (let count = 0; count < 5_000 / 20; count++) {
        const submit = () => send("POST", `${address}/messages`, { key: ownKey, body: '{"message":"x"}' });
        submitted.add((await persist(submit)).json.id);
      }
    }
    const submitting = Promise.all(Array.from({ length: 20 }, (_, client) => submitSome(client)));
    await destination.received(2_500);
    await workers[0]?.kill();
    await submitting;
    expect(submitted.size).toBe(5_000);
    await destination.received(5_000);
    while (!submitted.isSubsetOf(received())) await destination.received(deliveries.length + 1);
    const byId = received();
    const twice = [...byId.values()].filter(({ length }) => length > 1).length;
    console.log(
      `5,000 messages: ${deliveries.length} deliveries, ${twice} of them twice after a worker was killed`,
    );
    expect([...submitted].filter((id) => !byId.has(id))).toEqual([]);
    expect(twice).toBeLessThanOrEqual(16);
    await Promise.all(workers.slice(1).map((worker) => worker.stop()));
    await destination.stop();
  });
});
