import { afterAll, expect, test } from "bun:test";
import { copy } from "../postgres/copy.ts";
import { createDestination, type Destination } from "./deliveries.ts";
import { send } from "./send.ts";
import { makeKey, startServer } from "./server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "./stores.ts";

// A copied store sends the webhook deliveries that were still waiting when it was copied. It does not repeat those that were
// already made.

const ENV = { PETSTORE_WEBHOOKS_PRIVATE: "allow" };
const running = new Set<{ stop(): Promise<unknown> }>();
afterAll(() => Promise.all([...running].map((one) => one.stop())));

function deliveredTo({ deliveries }: Destination): readonly (string | null)[] {
  return deliveries.map(({ headers }) => headers.get("webhook-id"));
}

for (const [name, freshTarget] of [
  ["SQLite", freshEmbeddedStore],
  ["PostgreSQL", freshPostgresStore],
] as const)
  test(`a store that was copied to ${name} sends the queued deliveries, and does not repeat earlier ones`, async () => {
    const destination = createDestination(204, 500, 204);
    running.add(destination);
    const from = await freshEmbeddedStore();
    const first = await startServer({ store: from, env: ENV });
    const key = await makeKey(from);
    const post = (path: string, body: object) =>
      send("POST", `${first.production}${path}`, { key, body: JSON.stringify(body) });
    await post("/webhooks", { url: destination.url });
    for (const count of [1, 2]) {
      await post("/pets", { name: "x", categoryId: 1 });
      await destination.received(count);
    }
    for (let isWaiting = false; !isWaiting; ) {
      const { json } = await send("GET", `${first.production}/webhooks/1/deliveries`, { key });
      isWaiting = json[0].attempts.length > 0;
    }
    await first.stop();
    const to = await freshTarget();
    expect((await copy(from, to)).code).toBe(0);
    const second = await startServer({ store: to, env: ENV });
    running.add(second);
    await destination.received(3);
    const more = await send("POST", `${second.production}/pets`, {
      key,
      body: '{"name":"x","categoryId":1}',
    });
    expect(more.status).toBe(201);
    await destination.received(4);
    expect(deliveredTo(destination)).toEqual(["evt_1", "evt_2", "evt_2", "evt_3"]);
  });
