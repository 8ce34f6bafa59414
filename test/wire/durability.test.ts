import { expect, test } from "bun:test";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ freshStore, startProcess }) => {
  test("after kill -9 an identifier is not used again, even that of the last animal, removed before", async () => {
    const store = await freshStore();
    let server = await startProcess({ store });
    const key = await makeKey(store);
    const create = () =>
      send("POST", `${server.production}/pets`, { key, body: '{"name":"x","categoryId":1}' });
    expect(JSON.parse((await create()).body).id).toBe(1);
    expect((await send("DELETE", `${server.production}/pets/1`, { key })).status).toBe(204);
    await server.kill();
    server = await startProcess({ store });
    expect(JSON.parse((await create()).body).id).toBe(2);
    await server.stop();
  });
});
