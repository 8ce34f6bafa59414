import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClient, type Event } from "../../client/src/client.ts";
import { freePort } from "../postgres/server.ts";
import { until } from "../until.ts";
import type { ServerProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";
import type { Store } from "./stores.ts";

// Tests `client.events.follow` with a service that is killed and restarted.

onBothEngines(({ freshStore, startProcess }) => {
  let store: Store;
  let server: ServerProcess;
  let key: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    store = await freshStore();
    // After each kill, the service gets the same port again. No outgoing connection can take this port in the meantime.
    env = { PETSTORE_PRODUCTION_PORT: String(freePort()) };
    server = await startProcess({ store, env });
    key = await makeKey(store);
  });
  afterAll(() => server.stop());

  const clientOf = (token = key) => createClient({ key: token, baseUrl: server.production });
  const addPet = async (name: string) =>
    send("POST", `${server.production}/pets`, { key, body: JSON.stringify({ name, categoryId: 1 }) });
  const nameOf = (event: Event) => ("name" in event.data ? event.data.name : "");

  test("yields each event once and in order, despite kills and restarts", async () => {
    const followed: Event[] = [];
    const caller = new AbortController();
    const begun = Promise.withResolvers<void>();
    const end = (async () => {
      const onAnswer = () => begun.resolve();
      for await (const event of clientOf().events.follow({ signal: caller.signal, onAnswer })) {
        followed.push(event);
        if (nameOf(event) === "last") return;
      }
    })();
    await begun.promise;
    const added: string[] = [];
    const add = async (name: string) => {
      if ((await addPet(name)).status === 201) added.push(name);
    };
    for (let round = 1; round <= 3; round++) {
      await add(`${round}`);
      await until(() => followed.some((event) => nameOf(event) === `${round}`));
      // Killing the service interrupts some of the requests. The list of animals then shows which of them were committed.
      const adding = Array.from({ length: 40 }, (_, at) => add(`${round}.${at}`).catch(() => undefined));
      await Promise.race(adding);
      await server.kill();
      await Promise.all(adding);
      server = await startProcess({ store, env });
    }
    await add("last");
    await end;
    const listed = await Array.fromAsync(clientOf().events.list({ order: "asc", limit: 100 }));
    expect(followed).toEqual(listed);
    expect(listed.map(nameOf)).toEqual(expect.arrayContaining(added));
    expect(added.length).toBeGreaterThan(3);
  });
});
