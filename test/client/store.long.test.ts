import { expect, test } from "bun:test";
import { createClient } from "../../client/src/client.ts";
import { freePort } from "../postgres/server.ts";
import { startProcess } from "../wire/process.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Tests the client against a real service that is killed, rate limited or misconfigured.

test("each change is made once although the service is killed and restarted", async () => {
  const store = await freshEmbeddedStore();
  // The service is started again on the same port.
  const env = { PETSTORE_PRODUCTION_PORT: String(freePort()) };
  const first = await startProcess({ store, env });
  const { pets } = createClient({ key: await makeKey(store), baseUrl: first.production, retries: 20 });
  const names = Array.from({ length: 60 }, (_, index) => `Animal ${index}`);
  const halfway = Promise.withResolvers<void>();
  let answered = 0;
  const creations = names.map(async (name, index) => {
    if (index >= 40) await halfway.promise;
    const pet = await pets.create({ name, categoryId: 1 });
    if (++answered === 20) halfway.resolve();
    return pet;
  });
  await halfway.promise;
  await first.kill();
  const second = await startProcess({ store, env });
  const created = await Promise.all(creations);
  expect(created.map(({ name }) => name)).toEqual(names);
  const kept: unknown[] = [];
  for await (const pet of pets.list({ limit: 100 })) kept.push(pet);
  expect(kept).toEqual(created.sort((a, b) => Number(b.id) - Number(a.id)));
  await second.stop();
});
